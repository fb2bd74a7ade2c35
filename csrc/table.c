/* table.c - see table.h for the representation and its invariants. */
#include "table.h"

#include <stdlib.h>
#include <string.h>

#include "relative.h"

#define BLOCK_PATTERNS 7
#define MAX_BLOCKS_OF_KEY 64
#define FIRST_INDEX_SIZE 4096
#define COUNT_SHIFT 56
#define KEY_BITS ((UINT64_C(1) << COUNT_SHIFT) - 1)
#define BOUND_SHIFT 26

struct sgm_block {
    uint64_t key_and_count; /* first blocks only: the key, and in the top byte how many patterns it has */
    uint32_t next;          /* the key's next block */
    uint32_t collision;     /* first blocks only: the next first block of the index slot */
    sgm_lanes patterns[BLOCK_PATTERNS];
};

_Static_assert(sizeof(sgm_block) == 128, "a block is two cache lines");

static uint32_t slot_of(const sgm_table *table, uint64_t key) {
    return (uint32_t)((key * UINT64_C(0x9E3779B97F4A7C15)) >> 32) & (table->index_size - 1);
}

static int count_of(const sgm_block *first) {
    return (int)(first->key_and_count >> COUNT_SHIFT);
}

static int lower_of(sgm_lanes pattern) {
    return (int)(pattern[0] >> BOUND_SHIFT);
}

static int upper_of(sgm_lanes pattern) {
    return (int)(pattern[1] >> BOUND_SHIFT);
}

static sgm_lanes with_bounds(sgm_lanes holders, int lower, int upper) {
    return holders | (sgm_lanes){(uint32_t)lower << BOUND_SHIFT, (uint32_t)upper << BOUND_SHIFT, 0, 0};
}

static int all_zero(sgm_lanes lanes) {
    typedef uint64_t halves __attribute__((vector_size(16)));
    halves both = (halves)lanes;
    return (both[0] | both[1]) == 0;
}

/* A holder pair in a pattern matches if it is 3 (open) or the position's own. */
static int matches(sgm_lanes pattern, sgm_lanes holders) {
    const sgm_lanes low_bits = {0x01555555, 0x01555555, 0x01555555, 0x01555555};
    sgm_lanes open = pattern & (pattern >> 1) & low_bits;
    open |= open << 1;
    return all_zero((pattern ^ holders) & ~open & SUIT_HOLDERS);
}

sgm_status sgm_table_init(sgm_table *table, uint64_t memory) {
    memset(table, 0, sizeof *table);
    uint64_t blocks = memory / (sizeof(sgm_block) + sizeof(uint32_t));
    if (blocks > UINT32_MAX / 2)
        blocks = UINT32_MAX / 2;
    table->index_limit = FIRST_INDEX_SIZE;
    while (table->index_limit * UINT64_C(4) <= blocks)
        table->index_limit *= 2;
    uint64_t index_bytes = table->index_limit * sizeof(uint32_t);
    blocks = (memory - index_bytes) / sizeof(sgm_block);
    if (blocks > UINT32_MAX / 2)
        blocks = UINT32_MAX / 2;
    table->block_count = (uint32_t)blocks;
    table->index = malloc(index_bytes);
    table->blocks = aligned_alloc(sizeof(sgm_block), blocks * sizeof(sgm_block));
    if (!table->index || !table->blocks) {
        sgm_table_free(table);
        return SGM_ERR_MEMORY;
    }
    sgm_table_clear(table);
    return SGM_OK;
}

void sgm_table_free(sgm_table *table) {
    free(table->index);
    free(table->blocks);
    memset(table, 0, sizeof *table);
}

void sgm_table_clear(sgm_table *table) {
    table->index_size = FIRST_INDEX_SIZE;
    memset(table->index, 0, FIRST_INDEX_SIZE * sizeof(uint32_t));
    table->used = 1;
    table->free_list = 0;
    table->keys = 0;
    table->sweep = 0;
    memset(&table->stats, 0, sizeof table->stats);
}

static uint32_t first_block(const sgm_table *table, uint64_t key) {
    uint32_t number = table->index[slot_of(table, key)];
    while (number && (table->blocks[number].key_and_count & KEY_BITS) != key)
        number = table->blocks[number].collision;
    return number;
}

void sgm_table_prefetch(const sgm_table *table, uint64_t key) {
    __builtin_prefetch(&table->index[slot_of(table, key)]);
}

/* Swaps a pattern that answered with the newest of the first block. */
static void move_to_front(sgm_block *first, sgm_lanes *pattern) {
    sgm_lanes *front = &first->patterns[count_of(first) - 1];
    sgm_lanes held = *front;
    *front = *pattern;
    *pattern = held;
}

sgm_found sgm_table_find(sgm_table *table, uint64_t key, sgm_lanes holders, int need) {
    sgm_found found = {0, 0, SGM_MAX_TRICKS, holders};
    table->stats.lookups++;
    uint32_t number = first_block(table, key);
    if (!number)
        return found;
    sgm_block *first = &table->blocks[number];
    int count = count_of(first);
    for (; number; number = table->blocks[number].next, count = BLOCK_PATTERNS) {
        sgm_block *block = &table->blocks[number];
        for (int i = count - 1; i >= 0; i--) {
            sgm_lanes pattern = block->patterns[i];
            if (!matches(pattern, holders))
                continue;
            if (lower_of(pattern) >= need || upper_of(pattern) < need) {
                table->stats.hits++;
                found = (sgm_found){1, lower_of(pattern), upper_of(pattern), pattern};
                move_to_front(first, &block->patterns[i]);
                return found;
            }
        }
    }
    return found;
}

static void unlink_key(sgm_table *table, uint32_t slot) {
    uint32_t first = table->index[slot];
    table->index[slot] = table->blocks[first].collision;
    uint32_t last = first;
    while (table->blocks[last].next)
        last = table->blocks[last].next;
    table->blocks[last].next = table->free_list;
    table->free_list = first;
    table->keys--;
    table->stats.evictions++;
}

/* Makes sure that two blocks can be taken: a new key's first, or the one the first block's patterns move to. */
static void make_room(sgm_table *table) {
    while (table->used == table->block_count && !table->free_list) {
        if (table->index[table->sweep])
            unlink_key(table, table->sweep);
        else
            table->sweep = (table->sweep + 1) & (table->index_size - 1);
    }
}

static uint32_t take_block(sgm_table *table) {
    if (table->free_list) {
        uint32_t number = table->free_list;
        table->free_list = table->blocks[number].next;
        return number;
    }
    return table->used++;
}

static void grow_index(sgm_table *table) {
    uint32_t old_size = table->index_size;
    table->index_size = old_size * 2;
    memset(table->index + old_size, 0, old_size * sizeof(uint32_t));
    for (uint32_t slot = 0; slot < old_size; slot++) {
        uint32_t number = table->index[slot];
        table->index[slot] = 0;
        while (number) {
            sgm_block *block = &table->blocks[number];
            uint32_t rest = block->collision;
            uint32_t *place = &table->index[slot_of(table, block->key_and_count & KEY_BITS)];
            block->collision = *place;
            *place = number;
            number = rest;
        }
    }
}

static uint32_t add_key(sgm_table *table, uint64_t key) {
    if (table->keys >= table->index_size && table->index_size < table->index_limit)
        grow_index(table);
    uint32_t number = take_block(table);
    uint32_t *place = &table->index[slot_of(table, key)];
    table->blocks[number].key_and_count = key;
    table->blocks[number].next = 0;
    table->blocks[number].collision = *place;
    *place = number;
    table->keys++;
    return number;
}

/* Joins the bounds with those of the same pattern, if the key has it. Returns whether it had. */
static int join(sgm_table *table, uint32_t number, sgm_lanes holders, int lower, int upper) {
    int count = count_of(&table->blocks[number]);
    for (; number; number = table->blocks[number].next, count = BLOCK_PATTERNS) {
        sgm_block *block = &table->blocks[number];
        for (int i = count - 1; i >= 0; i--) {
            sgm_lanes stored = block->patterns[i];
            if (!all_zero((stored ^ holders) & SUIT_HOLDERS))
                continue;
            int low = lower > lower_of(stored) ? lower : lower_of(stored);
            int high = upper < upper_of(stored) ? upper : upper_of(stored);
            block->patterns[i] = with_bounds(holders, low, high);
            return 1;
        }
    }
    return 0;
}

/* Drops the key's last block if it has as many as a look-up should read. */
static void limit_blocks(sgm_table *table, uint32_t first) {
    uint32_t number = first;
    uint32_t before = 0;
    int blocks = 1;
    for (; table->blocks[number].next; blocks++) {
        before = number;
        number = table->blocks[number].next;
    }
    if (blocks < MAX_BLOCKS_OF_KEY)
        return;
    table->blocks[before].next = 0;
    table->blocks[number].next = table->free_list;
    table->free_list = number;
}

/* Moves the patterns of a full first block to a new second one. */
static void spill(sgm_table *table, uint32_t number) {
    limit_blocks(table, number);
    uint32_t second = take_block(table);
    sgm_block *first = &table->blocks[number];
    memcpy(table->blocks[second].patterns, first->patterns, sizeof first->patterns);
    table->blocks[second].next = first->next;
    first->next = second;
    first->key_and_count &= KEY_BITS;
}

void sgm_table_store(sgm_table *table, uint64_t key, sgm_lanes pattern, int lower, int upper) {
    make_room(table);
    uint32_t number = first_block(table, key);
    if (!number)
        number = add_key(table, key);
    else if (join(table, number, pattern, lower, upper))
        return;
    else if (count_of(&table->blocks[number]) == BLOCK_PATTERNS)
        spill(table, number);
    sgm_block *first = &table->blocks[number];
    first->patterns[count_of(first)] = with_bounds(pattern, lower, upper);
    first->key_and_count += UINT64_C(1) << COUNT_SHIFT;
    table->stats.stores++;
}
