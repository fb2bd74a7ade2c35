/* cards.h - cards as bits.
 *
 * A set of cards is 64 bits, one lane of 16 for each suit; bits 0..12 of a lane are the ranks 2..A and bits
 * 13..15 are always zero, so sums and shifts by one never reach the next lane.
 */
#ifndef SGM_CARDS_H
#define SGM_CARDS_H

#include <stdint.h>

#define LANE UINT64_C(0x1FFF)
#define ALL_LANES UINT64_C(0x1FFF1FFF1FFF1FFF)

static inline uint64_t lane_of_suit(int suit) {
    return LANE << (16 * suit);
}

static inline int suit_of_card(uint64_t card) {
    return __builtin_ctzll(card) >> 4;
}

static inline uint64_t lane_of_card(uint64_t card) {
    return lane_of_suit(suit_of_card(card));
}

static inline uint64_t lowest(uint64_t cards) {
    return cards & (~cards + 1);
}

static inline uint64_t highest(uint64_t cards) {
    return UINT64_C(1) << (63 - __builtin_clzll(cards));
}

/* All bits above that of one card; the caller masks them with the lanes he means. */
static inline uint64_t above(uint64_t card) {
    return ~((card << 1) - 1);
}

static inline int next_seat(int seat) {
    return seat == 2 ? 0 : seat + 1;
}

/* The lowest card of each run of equals in a hand: cards with no live card of another seat between them.
 * others: the live cards that separate. In each run of (own or dead) ranks, adding the run's first bit to its
 * leading dead bits carries up to the first own card. */
static inline uint64_t run_bottoms(uint64_t hand, uint64_t others) {
    uint64_t run = ~others & ALL_LANES;
    uint64_t first = run & ~(run << 1);
    return ((run & ~hand) + first) & hand;
}

/* The cards of a hand around `card` with none of the others between them. */
static inline uint64_t run_of(uint64_t card, uint64_t hand, uint64_t others) {
    uint64_t lane = lane_of_card(card);
    uint64_t over = others & lane & above(card);
    uint64_t under = others & lane & (card - 1);
    uint64_t run = hand & lane & (under ? above(highest(under)) : lane);
    return over ? run & (lowest(over) - 1) : run;
}

static inline uint64_t run_top(uint64_t card, uint64_t hand, uint64_t others) {
    return highest(run_of(card, hand, others));
}

#endif
