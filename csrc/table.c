/* table.c - see table.h for the representation and its invariants. */
#include "table.h"

#include <stdlib.h>
#include <string.h>

#include "relative.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define BLOCK_PATTERNS 13
#define MAX_BLOCKS_OF_KEY 40
#define FIRST_INDEX_SIZE 4096
#define LAST_INDEX_SIZE (1u << 20) /* growing further would hold the stop flag back for too long */
#define COUNT_SHIFT 56
#define KEY_BITS ((UINT64_C(1) << COUNT_SHIFT) - 1)
#define BOUND_SHIFT 26

struct sgm_block {
    uint64_t key_and_count; /* first blocks only: the key, and in the top byte how many patterns it has */
    uint32_t next;          /* the key's next block */
    uint32_t collision;     /* first blocks only: the next first block of the index slot */
    uint16_t prints[16];    /* the last three are not used */
    sgm_lanes patterns[BLOCK_PATTERNS];
};

_Static_assert(sizeof(sgm_block) == 256, "a block is four cache lines");

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

static uint16_t print_of(sgm_lanes holders) {
    return (uint16_t)((holders[0] & 15) | (holders[1] & 15) << 4 | (holders[2] & 15) << 8 |
                      (holders[3] & 15) << 12);
}

static int all_zero(sgm_lanes lanes) {
    typedef uint64_t halves __attribute__((vector_size(16)));
    halves both = (halves)lanes;
    return (both[0] | both[1]) == 0;
}

/* A holder pair in a pattern matches if it is 3 (open) or the position's own. */
static int matches(sgm_lanes pattern, sgm_lanes holders) {
    sgm_lanes open = pattern & (pattern >> 1) & 0x01555555u;
    open |= open << 1;
    return all_zero((pattern ^ holders) & ~open & SUIT_HOLDERS);
}

/* Returns a bit for each of the first `count` prints that agrees with `print`; open pairs agree with all. */
static unsigned agreeing(const uint16_t prints[16], uint16_t print, int count) {
    unsigned mask = 0;
#ifdef __SSE2__
    __m128i wanted = _mm_set1_epi16((short)print);
    __m128i low_bits = _mm_set1_epi16(0x5555);
    __m128i equal[2];
    for (int half = 0; half < 2; half++) {
        __m128i stored = _mm_load_si128((const __m128i *)prints + half);
        __m128i open = _mm_and_si128(_mm_and_si128(stored, _mm_srli_epi16(stored, 1)), low_bits);
        open = _mm_or_si128(open, _mm_slli_epi16(open, 1));
        __m128i differs = _mm_andnot_si128(open, _mm_xor_si128(stored, wanted));
        equal[half] = _mm_cmpeq_epi16(differs, _mm_setzero_si128());
    }
    mask = (unsigned)_mm_movemask_epi8(_mm_packs_epi16(equal[0], equal[1]));
#else
    for (int i = 0; i < BLOCK_PATTERNS; i++) {
        unsigned open = prints[i] & prints[i] >> 1 & 0x5555u;
        mask |= (unsigned)(((prints[i] ^ print) & ~(open | open << 1)) == 0) << i;
    }
#endif
    return mask & ((1u << count) - 1);
}

/* The same for equal prints. */
static unsigned equal_prints(const uint16_t prints[16], uint16_t print, int count) {
    unsigned mask = 0;
    for (int i = 0; i < BLOCK_PATTERNS; i++)
        mask |= (unsigned)(prints[i] == print) << i;
    return mask & ((1u << count) - 1);
}

static int highest_bit(unsigned mask) {
    return 31 - __builtin_clz(mask);
}

sgm_status sgm_table_init(sgm_table *table, uint64_t memory) {
    memset(table, 0, sizeof *table);
    uint64_t blocks = memory / (sizeof(sgm_block) + sizeof(uint32_t));
    if (blocks > UINT32_MAX / 2)
        blocks = UINT32_MAX / 2;
    table->index_limit = FIRST_INDEX_SIZE;
    while (table->index_limit * UINT64_C(2) <= blocks && table->index_limit < LAST_INDEX_SIZE)
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
    table->stats.memory = table->index_limit * sizeof(uint32_t) + table->block_count * sizeof(sgm_block);
}

static uint32_t first_block(const sgm_table *table, uint64_t key) {
    uint32_t number = table->index[slot_of(table, key)];
    while (number && (table->blocks[number].key_and_count & KEY_BITS) != key)
        number = table->blocks[number].collision;
    return number;
}

/* Swaps a pattern that answered with the newest of the first block. */
static void move_to_front(sgm_block *first, sgm_block *block, int i) {
    int front = count_of(first) - 1;
    sgm_lanes pattern = first->patterns[front];
    uint16_t print = first->prints[front];
    first->patterns[front] = block->patterns[i];
    first->prints[front] = block->prints[i];
    block->patterns[i] = pattern;
    block->prints[i] = print;
}

sgm_found sgm_table_find(sgm_table *table, uint64_t key, sgm_lanes holders, int need) {
    sgm_found found = {0, 0, SGM_MAX_TRICKS, holders};
    table->stats.lookups++;
    uint32_t number = first_block(table, key);
    if (!number)
        return found;
    sgm_block *first = &table->blocks[number];
    uint16_t print = print_of(holders);
    int count = count_of(first);
    for (; number; number = table->blocks[number].next, count = BLOCK_PATTERNS) {
        sgm_block *block = &table->blocks[number];
        __builtin_prefetch(&table->blocks[block->next]);
        for (unsigned mask = agreeing(block->prints, print, count); mask;) {
            int i = highest_bit(mask);
            mask ^= 1u << i;
            sgm_lanes pattern = block->patterns[i];
            if (!matches(pattern, holders) || (lower_of(pattern) < need && upper_of(pattern) >= need))
                continue;
            table->stats.hits++;
            move_to_front(first, block, i);
            found = (sgm_found){1, lower_of(pattern), upper_of(pattern), pattern};
            return found;
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

/* Makes sure that a block can be taken. */
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
    uint16_t print = print_of(holders);
    int count = count_of(&table->blocks[number]);
    for (; number; number = table->blocks[number].next, count = BLOCK_PATTERNS) {
        sgm_block *block = &table->blocks[number];
        for (unsigned mask = equal_prints(block->prints, print, count); mask; mask &= mask - 1) {
            sgm_lanes *stored = &block->patterns[__builtin_ctz(mask)];
            if (!all_zero((*stored ^ holders) & SUIT_HOLDERS))
                continue;
            int low = lower > lower_of(*stored) ? lower : lower_of(*stored);
            int high = upper < upper_of(*stored) ? upper : upper_of(*stored);
            *stored = with_bounds(holders, low, high);
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
    table->stats.evictions++;
}

/* Moves the patterns of a full first block to a new second one. */
static void spill(sgm_table *table, uint32_t number) {
    limit_blocks(table, number);
    uint32_t second = take_block(table);
    sgm_block *first = &table->blocks[number];
    memcpy(table->blocks[second].patterns, first->patterns, sizeof first->patterns);
    memcpy(table->blocks[second].prints, first->prints, sizeof first->prints);
    table->blocks[second].next = first->next;
    first->next = second;
    first->key_and_count &= KEY_BITS;
}

void sgm_table_store(sgm_table *table, uint64_t key, sgm_lanes pattern, int lower, int upper) {
    /* First, because it may drop the key itself. */
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
    first->prints[count_of(first)] = print_of(pattern);
    first->key_and_count += UINT64_C(1) << COUNT_SHIFT;
    table->stats.stores++;
}
