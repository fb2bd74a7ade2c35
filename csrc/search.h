/* search.h - "can the solo seat win at least so many of the tricks left?", by alpha-beta with partition
 * search.
 *
 * Seats and suits are normalised before a search: the solo seat is 0, its opponents 1 and 2 play as one side,
 * trump is suit 3 (the highest lane, so that a higher bit beats a lower one within led suit and trump), and
 * the ranks of each suit are packed to the bottom of its lane.
 *
 * A position at a trick start is a set of live cards and a leader: a card's owner never changes.
 *
 * Relevance: every answer comes with a set of cards. It holds for any position with the same leader and suit
 * lengths whose suits have the same holders from the top down to the lowest card of the set in that suit.
 */
#ifndef SGM_SEARCH_H
#define SGM_SEARCH_H

#include <stdatomic.h>
#include <stdint.h>

#include "relative.h"
#include "sgm.h"
#include "table.h"

typedef struct {
    sgm_relative relative;
    sgm_table table;
    uint64_t hands[3];   /* the cards each seat owns, dead or live */
    uint64_t trump;      /* lane 3, or 0 */
    uint64_t key_base;   /* the part of the table key that is the same for the whole search */
    uint64_t node_limit; /* stop when stats.plays reaches it */
    const atomic_int *stop;
    int stopped; /* set once: every answer from then on is void */
} sgm_search;

typedef struct {
    uint64_t live; /* all cards not yet played; trick cards are played */
    int leader;
    int tricks; /* tricks left, the one in progress included */
    int count;  /* cards of the trick in progress */
    uint64_t trick[2];
} sgm_node;

/* Says whether seat 0 wins at least `need` of node->tricks tricks: 1 or 0; void if search->stopped is set. */
int sgm_search_at_least(sgm_search *search, const sgm_node *node, int need);

#endif
