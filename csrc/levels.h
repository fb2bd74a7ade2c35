/* levels.h - the positions with the same number of cards a hand: a hash table of keys, and two values for each.
 *
 * Linear probing. Where a key belongs depends on its hash monotonously, so a table copied into a larger or smaller
 * one is read and written in order. Threads insert side by side; what slot a key gets depends on who comes first,
 * but nothing that is computed depends on slots. */
#ifndef SGM_LEVELS_H
#define SGM_LEVELS_H

#include <stdatomic.h>
#include <stdint.h>

typedef struct {
    double seats[2]; /* expected tricks of seats 0 and 1; seat 2 gets the rest */
} sgm_value;

typedef struct {
    _Atomic uint64_t *keys; /* 0: an empty slot */
    sgm_value *values;      /* by slot; NULL until they are known */
    uint32_t slots;
    uint64_t count;
} sgm_level;

/* Makes an empty level. Returns 0 if the system refuses the memory. */
int sgm_level_init(sgm_level *level, uint32_t slots);

void sgm_level_free(sgm_level *level);

/* Moves all keys to a table of another size. Returns 0 if the system refuses the memory, or if stopped. */
int sgm_level_resize(sgm_level *level, uint32_t slots, const atomic_int *stop);

/* Makes room for the values. Returns 0 if the system refuses the memory. */
int sgm_level_add_values(sgm_level *level);

static inline uint32_t sgm_home(const sgm_level *level, uint64_t key) {
    uint64_t hash = (key ^ key >> 32) * UINT64_C(0x9E3779B97F4A7C15);
    hash = (hash ^ hash >> 29) * UINT64_C(0xBF58476D1CE4E5B9);
    return (uint32_t)((hash >> 32) * level->slots >> 32);
}

/* Adds a key whose home is known; returns whether it is new. There must be an empty slot. */
static inline int sgm_level_insert(sgm_level *level, uint64_t key, uint32_t slot) {
    for (;; slot = slot + 1 == level->slots ? 0 : slot + 1) {
        uint64_t found = atomic_load_explicit(&level->keys[slot], memory_order_relaxed);
        if (!found && atomic_compare_exchange_strong_explicit(&level->keys[slot], &found, key,
                                                              memory_order_relaxed, memory_order_relaxed))
            return 1;
        if (found == key)
            return 0;
    }
}

/* The slot of a key whose home is known; level->slots if it is not there. */
static inline uint32_t sgm_level_find(const sgm_level *level, uint64_t key, uint32_t slot) {
    for (;; slot = slot + 1 == level->slots ? 0 : slot + 1) {
        uint64_t found = atomic_load_explicit(&level->keys[slot], memory_order_relaxed);
        if (found == key)
            return slot;
        if (!found)
            return level->slots;
    }
}

#endif
