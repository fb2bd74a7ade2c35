/* relative.h - a suit seen as "who holds its highest, second highest, ... live card".
 *
 * Every card has one owner for the whole search, so what is left of a suit - a set of live ranks - fixes who
 * holds what. Two tables a suit, indexed by the live ranks, give all that is asked of it in one load each:
 *
 *   entry
 *     bits  0..25  holders, two bits a card, the highest card in bits 0..1; 0 behind the last card
 *     bits 32..43  lengths: four bits for each of the seats 0, 1, 2
 *     bits 44..47  how many cards from the top are held by the seat that holds the highest
 *     bits 48..51  how many cards from the top are held by seats 1 and 2 together
 *   place
 *     bits  0..47  four bits a card but the thirteenth: how many of the cards from the top to it are seat 1's
 *     bits 48..60  one bit a card, the highest card in bit 48: whether it is held by seat 1 or 2
 *
 * Invariant: both depend on the owners of the ranks in the index alone.
 * Cost: 16 << (cards of the suit) bytes and as many steps to fill.
 */
#ifndef SGM_RELATIVE_H
#define SGM_RELATIVE_H

#include <stdint.h>

#include "cards.h"

#define HOLDER_BITS 2
#define SUIT_HOLDERS UINT32_C(0x03FFFFFF)
#define COUNT_BITS 4
#define COUNTED_CARDS 12
#define SUIT_COUNTS UINT64_C(0x0000FFFFFFFFFFFF)
#define EACH_COUNT UINT64_C(0x0000111111111111)
#define SIDES_SHIFT 48

typedef struct {
    uint32_t first[4]; /* where each suit begins in `entries` and `places` */
    uint64_t ranked[1 << 13];
    uint64_t entries[4 << 13];
    uint64_t places[4 << 13];
} sgm_relative;

/* Fills `ranked`, which depends on nothing: once for a new context. */
void sgm_relative_init(sgm_relative *relative);

/* Fills the suit tables for hands whose ranks are packed: each suit's cards are its lowest bits. */
void sgm_relative_fill(sgm_relative *relative, const uint64_t hands[3]);

static inline uint64_t relative_suit(const sgm_relative *relative, uint64_t live, int suit) {
    return relative->entries[relative->first[suit] + ((live >> (16 * suit)) & LANE)];
}

static inline uint64_t relative_places(const sgm_relative *relative, uint64_t live, int suit) {
    return relative->places[relative->first[suit] + ((live >> (16 * suit)) & LANE)];
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
