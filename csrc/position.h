/* position.h - from the caller's positions to those of the searches: seats as they are, suits with trumps
 * last, ranks packed. */
#ifndef SGM_POSITION_H
#define SGM_POSITION_H

#include <stdint.h>

#include "sgm.h"

static inline int count_cards(uint64_t cards) {
    int count = 0;
    for (; cards; cards &= cards - 1)
        count++;
    return count;
}

/* What each seat held when the trick began. Returns the cards played to the trick. */
uint64_t sgm_trick_start(const sgm_position *position, uint64_t owned[3]);

/* Tricks left, the one in progress included. */
int sgm_tricks_left(const sgm_position *position);

/* Moves the suits to their lanes - trump to lane 3, the others in order - and the ranks of each suit to the
 * places that the ranks of `all` have when packed to the bottom of the lane. `cards` are some of `all`. */
uint64_t sgm_normalised(uint64_t cards, uint64_t all, int trump);

#endif
