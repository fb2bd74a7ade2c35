/* bounds.h - tricks that a side is sure of at a trick start, seen without search. */
#ifndef SGM_BOUNDS_H
#define SGM_BOUNDS_H

#include <stdint.h>

#include "relative.h"
#include "sgm.h"

/* The position a bound looks at. suits: the relative entries, suit 3 last. */
typedef struct {
    const sgm_relative *relative;
    uint64_t live;
    uint64_t suits[4];
    int leader;
    int tricks;
    int has_trump;
} sgm_view;

/* Decides "does seat 0 win at least `need` of the tricks left?" if the sure tricks of one side settle it.
 * Returns 1, 0, or -1 if they do not. *relevant: the cards the bound looked at (see search.h). */
int sgm_bounds_decide(const sgm_view *view, int need, uint64_t *relevant);

#endif
