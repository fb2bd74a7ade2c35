/* relative.h - a suit seen as "who holds its highest, second highest, ... live card".
 *
 * Every card has one owner for the whole search, so what is left of a suit - a set of live ranks - fixes who
 * holds what. One table a suit, indexed by the live ranks, gives the holders from the top down, the three
 * lengths and the run of top cards in one load:
 *
 *   bits  0..25  holders, two bits a card, the highest card in bits 0..1; 0 behind the last card
 *   bits 32..43  lengths: four bits for each of the seats 0, 1, 2
 *   bits 44..47  how many cards from the top are held by the seat that holds the highest
 *   bits 48..51  how many cards from the top are held by seats 1 and 2 together
 *
 * Invariant: an entry depends on the owners of the ranks in its index alone.
 * Cost: 8 << (cards of the suit) bytes and as many steps to fill.
 */
#ifndef SGM_RELATIVE_H
#define SGM_RELATIVE_H

#include <stdint.h>

#include "cards.h"

#define HOLDER_BITS 2
#define SUIT_HOLDERS UINT32_C(0x03FFFFFF)

typedef struct {
    uint64_t *suits[4]; /* into `entries` */
    uint64_t ranked[1 << 13];
    uint64_t entries[4 << 13];
} sgm_relative;

/* Fills `ranked`, which depends on nothing: once for a new context. */
void sgm_relative_init(sgm_relative *relative);

/* Fills the suit tables for hands whose ranks are packed: each suit's cards are its lowest bits. Cards of
 * `dead` take up ranks but belong to nobody; they never stand in an index with live cards only. */
void sgm_relative_fill(sgm_relative *relative, const uint64_t hands[3], uint64_t dead);

static inline uint64_t relative_suit(const sgm_relative *relative, uint64_t live, int suit) {
    return relative->suits[suit][(live >> (16 * suit)) & LANE];
}

static inline int top_holder(uint64_t entry) {
    return (int)(entry & 3);
}

static inline int length_of(uint64_t entry, int seat) {
    return (int)(entry >> (32 + 4 * seat)) & 15;
}

static inline int top_run(uint64_t entry) {
    return (int)(entry >> 44) & 15;
}

static inline int pooled_run(uint64_t entry) {
    return (int)(entry >> 48) & 15;
}

/* The card that is `depth` from the top (1 = highest) among the live cards of a suit. */
static inline uint64_t card_at_depth(const sgm_relative *relative, uint64_t live, int suit, int depth) {
    uint64_t ranks = relative->ranked[(live >> (16 * suit)) & LANE];
    return UINT64_C(1) << (16 * suit + (int)((ranks >> (4 * (depth - 1))) & 15));
}

/* How many ranks a set of ranks of one suit has. */
static inline int rank_count(const sgm_relative *relative, uint64_t ranks) {
    return (int)(relative->ranked[ranks] >> 56);
}

#endif
