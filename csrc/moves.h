/* moves.h - the cards worth trying at a node, best first: one of each run of equals. */
#ifndef SGM_MOVES_H
#define SGM_MOVES_H

#include <stdint.h>

#include "search.h"

#define SGM_MAX_MOVES 17

typedef struct {
    int seat; /* whose turn it is */
    int count;
    uint64_t hand;   /* the seat's cards */
    uint64_t others; /* the cards that keep two of its cards from being equal */
    uint64_t ranked; /* led suit and trumps: the cards that can win; 0 for a lead */
    uint64_t best;   /* the card that is winning the trick; 0 for a lead */
    int best_seat;   /* who played it */
    uint64_t cards[SGM_MAX_MOVES];
} sgm_moves;

/* Lists the cards of the seat whose turn it is at `node`. */
void sgm_moves_generate(const sgm_search *search, const sgm_node *node, sgm_moves *moves);

#endif
