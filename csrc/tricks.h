/* tricks.h - all ways in which a trick can go.
 *
 * A card's owner never changes, so a position at a trick start is a set of live cards and a leader. Positions
 * that differ only in how far apart the cards of a suit are - whose is the highest, the second highest, ... is
 * the same - are alike: one set of live cards stands for them all, that which takes each card in turn, from the
 * lowest up, as low as it can.
 *
 *   key   the live cards; bits 13 and 14 say who leads. Never 0: somebody holds a card.
 *
 * A way stands for every choice of equal cards. The ways of a trick come as a tree read from left to right:
 * third hand's cards for a lead and a second card, then the next second card, then the next lead.
 */
#ifndef SGM_TRICKS_H
#define SGM_TRICKS_H

#include <stdint.h>

#include "cards.h"

#define KEY_LEADER 13
#define MAX_WAYS (17 * 17 * 17)

typedef struct {
    uint64_t hands[3];       /* the cards each seat owns, dead or live; ranks packed, trump in lane 3 */
    uint64_t trump;          /* lane 3, or 0 */
    uint32_t first[4];       /* where each suit begins in `alike` */
    uint16_t alike[4 << 13]; /* by the live ranks of a suit: those that stand for them */
} sgm_owners;

typedef struct {
    uint64_t key;  /* the position after the trick, led by the seat that won it */
    uint32_t slot; /* for the caller */
    /* How many equal cards the choice stands for; 0 in `second` and `lead` but for the last way of their branch. */
    uint8_t third;
    uint8_t second;
    uint8_t lead;
} sgm_way;

/* Makes ready for the positions that can come up from these hands. */
void sgm_owners_init(sgm_owners *owners, const uint64_t hands[3], uint64_t trump);

/* Lists the ways of the trick that begins at `key`.
 * played: the cards that are on the table already, in order, then zeros. ways: room for MAX_WAYS, or for the cube
 * of the cards a hand. Returns how many there are. */
int sgm_tricks(const sgm_owners *owners, uint64_t key, const uint64_t played[2], sgm_way *ways);

/* The key of the position that stands for all alike. */
static inline uint64_t sgm_key(const sgm_owners *owners, uint64_t live, int leader) {
    uint64_t key = (uint64_t)leader << KEY_LEADER;
    for (int suit = 0; suit < 4; suit++)
        key |= (uint64_t)owners->alike[owners->first[suit] + (live >> (16 * suit) & LANE)] << (16 * suit);
    return key;
}

static inline int leader_of(uint64_t key) {
    return (int)(key >> KEY_LEADER & 3);
}

#endif
