/* moves.h - the cards worth trying at a node, best first: one of each run of equals. */
#ifndef SGM_MOVES_H
#define SGM_MOVES_H

#include <stdint.h>

#include "search.h"

#define SGM_MAX_MOVES 17

typedef struct {
    uint64_t cards[SGM_MAX_MOVES];
    int count;
    uint64_t hand;   /* the seat's cards */
    uint64_t others; /* the cards that keep two of its cards from being equal */
} sgm_moves;

/* Lists the cards of `seat`, whose turn it is at `node`. */
void sgm_moves_generate(const sgm_search *search, const sgm_node *node, int seat, sgm_moves *moves);

#endif
