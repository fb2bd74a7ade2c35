/* search.h - "can the solo seat win at least so many of the tricks left?", by alpha-beta with partition
 * search.
 *
 * Seats and suits are normalised before a search: the solo seat is 0, its opponents 1 and 2 play as one side,
 * trump is suit 3 (the highest lane, so that a higher bit beats a lower one within led suit and trump), and
 * the ranks of each suit are packed to the bottom of its lane.
 *
 * A position at a trick start is a set of live cards and a leader: a card's owner never changes.
 *
 * Relevance: every answer comes with a set of cards, its marks. Down to the lowest mark of a suit the proof
 * rests on which side holds each card. It rests on which of seats 1 and 2 holds it only up to blocks: a block
 * ends at each mark and where the sides change, and inside it any order of the two seats' cards will do. Below
 * the lowest mark it rests on nothing. So the answer holds for any position with the same leader and suit
 * lengths, the same sides down to the lowest marks, and as many cards of each seat in each block.
 *
 * Why it may: a seat can play from a block in the one position what it can in the other, card for card, as long
 * as no card has to be higher than another of its block. Where one has to - the pair's two cards of a trick come
 * from one block, and who wins it matters - a mark goes between them.
 *
 * Where every card of a seat fails, most were not searched: they are equal to one that was, or in its block, or
 * as far below all marks. What was proven of the one must then hold with each of them in its place. So a mark
 * that cuts a run of equals brings one below the run, a mark between two cards of a trick lies above all that is
 * equal to the lower one, and a card that stands for a run fails with another only if its whole run does.
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
