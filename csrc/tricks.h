/* tricks.h - all ways in which a trick can go.
 *
 * A card's owner never changes, so what is left at a trick start is a set of live cards. Sets that differ only in
 * how far apart the cards of a suit are - whose is the highest, the second highest, ... is the same - are alike: one
 * stands for them all, that which takes each card in turn, from the lowest up, as low as it can.
 *
 * Who leads is left open: where all three follow suit, or two of them, the same cards come together whoever of them
 * leads. So the ways of a trick are cells, a box of them for each suit that can be led, one card from each seat:
 *
 *   cell (i * count[1] + j) * count[2] + k     seat 0 plays its card i of the box, seat 1 card j, seat 2 card k
 *
 * A seat's cards in a box are those of the suit; if it has none, its whole hand. One of each run of equals is
 * there, with the number of cards that it stands for.
 */
#ifndef SGM_TRICKS_H
#define SGM_TRICKS_H

#include <stdint.h>

#include "cards.h"

#define MAX_RUNS 17
#define RUNS_AT_ONCE 4

/* More cells than a position with so many cards a hand has, over all suits: seats that hold a suit have at most as
 * many cards there as in all, and the suits that one of them leads share its cards. */
#define MOST_CELLS(cards) (3 * (cards) * (cards) * (cards))

typedef struct {
    uint64_t hands[3];          /* the cards each seat owns, dead or live; ranks packed, trump in lane 3 */
    uint64_t trump;             /* lane 3, or 0 */
    uint16_t alike[4][1 << 13]; /* by suit and live ranks: the ranks that stand for them */
    /* By suit, live ranks and seat: the seat's runs of equals. Bits 0..3: how many; then for each, from the lowest
     * up, four bits for its lowest rank and four for how many cards it has. */
    uint64_t runs[4][1 << 13][3];
} sgm_owners;

/* A hand, one card of each run of equals. */
typedef struct {
    uint64_t cards[MAX_RUNS + RUNS_AT_ONCE]; /* the lowest of each run, in order; then waste */
    double sizes[MAX_RUNS + RUNS_AT_ONCE];   /* how many cards each run has */
    uint8_t first[5];                        /* where each suit begins; at last the number of runs */
} sgm_runs;

/* The tricks that can begin with a suit. */
typedef struct {
    int leaders;  /* bit s: seat s may lead it; 0: there are no cells */
    int count[3]; /* cards of each seat */
    int first[3]; /* which of the seat's runs they begin with */
    int all_follow;
} sgm_box;

typedef struct {
    sgm_runs runs[3];
    sgm_box boxes[4]; /* by suit */
    uint64_t live;
    uint64_t alike; /* the set that stands for `live` */
    int leaders;
} sgm_start;

typedef struct {
    uint64_t live; /* after the trick; the set that stands for all alike */
    uint32_t slot; /* for the caller */
    uint8_t winner;
} sgm_cell;

/* Makes ready for the positions that can come up from these hands. */
void sgm_owners_init(sgm_owners *owners, const uint64_t hands[3], uint64_t trump);

/* Sets up a trick from its live cards and the seats that may lead.
 * played: by seat, the card that it has played already, or 0; NULL if there are none. */
void sgm_start_init(sgm_start *start, const sgm_owners *owners, uint64_t live, int leaders,
                    const uint64_t played[3]);

/* Lists the cells, box after box. Returns how many there are. */
int sgm_cells(const sgm_owners *owners, const sgm_start *start, sgm_cell *cells);

#endif
