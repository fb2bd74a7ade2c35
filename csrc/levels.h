/* levels.h - the positions with the same number of cards a hand: a hash table of sets of live cards.
 *
 *   key     the live cards; bits 13, 14, 15, which are no cards, say which of the seats 0, 1, 2 may lead
 *   value   for each leader what seats 0 and 1 can expect; seat 2 gets the rest of the tricks
 *
 * Linear probing. Where a key belongs depends on its hash monotonously, so a table copied into a larger or smaller
 * one is read and written in order. Threads insert side by side; what slot a key gets depends on who comes first,
 * but nothing that is computed depends on slots. */
#ifndef SGM_LEVELS_H
#define SGM_LEVELS_H

#include <stdatomic.h>
#include <stdint.h>

#define LEADERS_SHIFT 13
#define LIVE_BITS UINT64_C(0xFFFFFFFFFFFF1FFF)

typedef struct {
    double seats[2]; /* expected tricks of seats 0 and 1 */
} sgm_value;

typedef sgm_value sgm_values[3]; /* by leader */

typedef struct {
    _Atomic uint64_t *keys; /* 0: an empty slot; two more behind the last one, always empty */
    sgm_values *values;     /* by slot; NULL until they are computed */
    uint32_t slots;
    uint64_t count; /* keys */
} sgm_level;

void sgm_level_free(sgm_level *level);

/* Moves all keys to a table of another size; a level of zeros has none. Returns 0 if the system refuses the
 * memory, or if stopped. */
int sgm_level_resize(sgm_level *level, uint32_t slots, const atomic_int *stop);

/* Makes room for the values. Returns 0 if the system refuses the memory. */
int sgm_level_add_values(sgm_level *level);

static inline uint32_t sgm_home(const sgm_level *level, uint64_t live) {
    uint64_t hash = (live ^ live >> 32) * UINT64_C(0x9E3779B97F4A7C15);
    hash = (hash ^ hash >> 29) * UINT64_C(0xBF58476D1CE4E5B9);
    return (uint32_t)((hash >> 32) * level->slots >> 32);
}

static inline uint64_t sgm_key_at(const sgm_level *level, uint32_t slot) {
    return atomic_load_explicit(&level->keys[slot], memory_order_relaxed);
}

static inline uint64_t live_of(uint64_t key) {
    return key & LIVE_BITS;
}

static inline int leaders_of(uint64_t key) {
    return (int)(key >> LEADERS_SHIFT & 7);
}

static inline uint64_t key_of(uint64_t live, int leaders) {
    return live | (uint64_t)leaders << LEADERS_SHIFT;
}

/* Adds a key, or its leaders to those of the same cards, starting at their home. There must be an empty slot.
 * Returns 0 if all was known, 1 if the cards were and a leader was not, 2 if the cards are new. */
static inline int sgm_level_insert(sgm_level *level, uint64_t key, uint32_t slot) {
    for (;; slot = slot + 1 == level->slots ? 0 : slot + 1) {
        uint64_t found = sgm_key_at(level, slot);
        if (!found && atomic_compare_exchange_strong_explicit(&level->keys[slot], &found, key,
                                                              memory_order_relaxed, memory_order_relaxed))
            return 2;
        if (live_of(found ^ key) == 0) {
            if ((found | key) == found)
                return 0;
            found = atomic_fetch_or_explicit(&level->keys[slot], key, memory_order_relaxed);
            return (found | key) != found;
        }
    }
}

/* The slot of a key whose home is known; level->slots if it is not there. */
static inline uint32_t sgm_level_find(const sgm_level *level, uint64_t live, uint32_t slot) {
    for (;; slot = slot + 1 == level->slots ? 0 : slot + 1) {
        uint64_t found = sgm_key_at(level, slot);
        if (live_of(found) == live)
            return slot;
        if (!found)
            return level->slots;
    }
}

/* The slot of a key that is there. Most are at home or next to it: looked at without branches. */
static inline uint32_t sgm_level_slot(const sgm_level *level, uint64_t live, uint32_t slot) {
    slot += live_of(sgm_key_at(level, slot)) != live;
    slot += live_of(sgm_key_at(level, slot)) != live;
    while (slot >= level->slots || live_of(sgm_key_at(level, slot)) != live)
        slot = slot + 1 >= level->slots ? 0 : slot + 1;
    return slot;
}

#endif
