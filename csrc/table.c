/* table.c - see table.h for the representation and its invariants. */
#include "table.h"

#include <stdlib.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define BLOCK_BYTES 512
#define BLOCK_PATTERNS 12
#define COMPARED 8 /* prints at once; two overlapping comparisons take in a block */
#define AHEAD 3    /* how many blocks before it is read a block is fetched */
#define MAX_BLOCKS_OF_KEY 80
#define FIRST_INDEX_SIZE 4096
#define LAST_INDEX_SIZE (1u << 20) /* growing further would hold the stop flag back for too long */
#define COUNT_SHIFT 56
#define KEY_BITS ((UINT64_C(1) << COUNT_SHIFT) - 1)
#define PRINT_CARDS 4 /* of each suit */
#define PRINT_MASK 15u

/* What a look-up compares first. cards: the sides of the first four cards of each suit. known: which of them
 * the pattern fixes. */
typedef struct {
    uint16_t cards;
    uint16_t known;
} print;

struct sgm_block {
    uint64_t key_and_count; /* first blocks only: the key, and in the top byte how many patterns it has */
    uint32_t next;          /* the key's next block */
    uint32_t other; /* first blocks: the next first block of the index slot; others: the block AHEAD */
    uint16_t cards[BLOCK_PATTERNS];
    uint16_t known[BLOCK_PATTERNS];
    /* so far one cache line: all that is read of a block in which nothing agrees */
    uint8_t lower[BLOCK_PATTERNS];
    uint8_t upper[BLOCK_PATTERNS];
    sgm_places patterns[BLOCK_PATTERNS];
    uint8_t unused[40];
};

_Static_assert(offsetof(sgm_block, lower) == 64, "header and prints are one cache line");
_Static_assert(sizeof(sgm_block) == BLOCK_BYTES, "a block is eight cache lines");

static uint32_t slot_of(const sgm_table *table, uint64_t key) {
    return (uint32_t)((key * UINT64_C(0x9E3779B97F4A7C15)) >> 32) & (table->index_size - 1);
}

static int count_of(const sgm_block *first) {
    return (int)(first->key_and_count >> COUNT_SHIFT);
}

/* The sides down to the lowest mark of a pattern's suit, as bits. */
static uint64_t known_sides(uint64_t lane) {
    uint64_t marks = sgm_marks(lane);
    int depth = marks ? (63 - __builtin_clzll(marks)) / COUNT_BITS + 1 : 0;
    return (UINT64_C(1) << depth) - 1;
}

static uint16_t cards_of(const sgm_places *places) {
    uint64_t cards = 0;
    for (int suit = 0; suit < 4; suit++)
        cards |= (places->suit[suit] >> SIDES_SHIFT & PRINT_MASK) << (PRINT_CARDS * suit);
    return (uint16_t)cards;
}

static print print_of(const sgm_places *pattern) {
    uint64_t known = 0;
    for (int suit = 0; suit < 4; suit++)
        known |= (known_sides(pattern->suit[suit]) & PRINT_MASK) << (PRINT_CARDS * suit);
    return (print){cards_of(pattern), (uint16_t)known};
}

static int suit_matches(uint64_t pattern, uint64_t places) {
    uint64_t differs = pattern ^ places;
    uint64_t counts = sgm_marks(pattern) * ((1u << COUNT_BITS) - 1);
    return !(differs & (counts | known_sides(pattern) << SIDES_SHIFT));
}

static int matches(const sgm_places *pattern, const sgm_places *places) {
    for (int suit = 0; suit < 4; suit++) {
        if (!suit_matches(pattern->suit[suit], places->suit[suit]))
            return 0;
    }
    return 1;
}

static int same(const sgm_places *a, const sgm_places *b) {
    return !memcmp(a, b, sizeof *a);
}

#ifdef __SSE2__
/* A byte of ones for each of eight prints that agrees. */
static __m128i agreeing_eight(const sgm_block *block, int from, __m128i cards) {
    __m128i stored = _mm_loadu_si128((const __m128i *)(block->cards + from));
    __m128i known = _mm_loadu_si128((const __m128i *)(block->known + from));
    return _mm_cmpeq_epi16(_mm_and_si128(cards, known), stored);
}
#endif

/* Returns a bit for each of the first `count` prints of a block that agrees with a position's cards. */
static unsigned agreeing(const sgm_block *block, uint16_t cards, int count) {
    unsigned mask = 0;
#ifdef __SSE2__
    __m128i wanted = _mm_set1_epi16((short)cards);
    __m128i low = agreeing_eight(block, 0, wanted);
    __m128i high = agreeing_eight(block, BLOCK_PATTERNS - COMPARED, wanted);
    unsigned both = (unsigned)_mm_movemask_epi8(_mm_packs_epi16(low, high));
    mask = (both & 0xFFu) | both >> COMPARED << (BLOCK_PATTERNS - COMPARED);
#else
    for (int i = 0; i < BLOCK_PATTERNS; i++)
        mask |= (unsigned)((cards & block->known[i]) == block->cards[i]) << i;
#endif
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
        number = table->blocks[number].other;
    return number;
}

static void put(sgm_block *block, int i, const sgm_places *pattern, int lower, int upper) {
    print digest = print_of(pattern);
    block->cards[i] = digest.cards;
    block->known[i] = digest.known;
    block->lower[i] = (uint8_t)lower;
    block->upper[i] = (uint8_t)upper;
    block->patterns[i] = *pattern;
}

static void move(sgm_block *to, int i, const sgm_block *from, int j) {
    to->cards[i] = from->cards[j];
    to->known[i] = from->known[j];
    to->lower[i] = from->lower[j];
    to->upper[i] = from->upper[j];
    to->patterns[i] = from->patterns[j];
}

/* Swaps a pattern that answered with the newest of the first block: all of one block are compared at once. */
static void move_to_first(sgm_block *first, sgm_block *block, int i) {
    if (block == first)
        return;
    int newest = count_of(first) - 1;
    sgm_block kept;
    move(&kept, 0, first, newest);
    move(first, newest, block, i);
    move(block, i, &kept, 0);
}

sgm_found sgm_table_find(sgm_table *table, uint64_t key, const sgm_places *places, int need) {
    sgm_found found = {0, 0, SGM_MAX_TRICKS, {{0}}};
    table->stats.lookups++;
    uint32_t number = first_block(table, key);
    if (!number)
        return found;
    sgm_block *first = &table->blocks[number];
    uint16_t cards = cards_of(places);
    int count = count_of(first);
    for (; number; number = table->blocks[number].next, count = BLOCK_PATTERNS) {
        sgm_block *block = &table->blocks[number];
        __builtin_prefetch(&table->blocks[block == first ? block->next : block->other]);
        for (unsigned mask = agreeing(block, cards, count); mask;) {
            int i = highest_bit(mask);
            mask ^= 1u << i;
            int lower = block->lower[i];
            int upper = block->upper[i];
            if ((lower < need && upper >= need) || !matches(&block->patterns[i], places))
                continue;
            table->stats.hits++;
            found = (sgm_found){1, lower, upper, block->patterns[i]};
            move_to_first(first, block, i);
            return found;
        }
    }
    return found;
}

static void unlink_key(sgm_table *table, uint32_t slot) {
    uint32_t first = table->index[slot];
    table->index[slot] = table->blocks[first].other;
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
            uint32_t rest = block->other;
            uint32_t *place = &table->index[slot_of(table, block->key_and_count & KEY_BITS)];
            block->other = *place;
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
    table->blocks[number].other = *place;
    *place = number;
    table->keys++;
    return number;
}

/* Joins the bounds with those of the same pattern, if the key has it. Returns whether it had. */
static int join(sgm_table *table, uint32_t number, const sgm_places *pattern, int lower, int upper) {
    print digest = print_of(pattern);
    int count = count_of(&table->blocks[number]);
    for (; number; number = table->blocks[number].next, count = BLOCK_PATTERNS) {
        sgm_block *block = &table->blocks[number];
        for (unsigned mask = agreeing(block, digest.cards, count); mask; mask &= mask - 1) {
            int i = __builtin_ctz(mask);
            if (block->known[i] != digest.known || !same(&block->patterns[i], pattern))
                continue;
            if (lower > block->lower[i])
                block->lower[i] = (uint8_t)lower;
            if (upper < block->upper[i])
                block->upper[i] = (uint8_t)upper;
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

/* The block AHEAD of one; block 0, which nobody reads, if there is none. */
static uint32_t ahead_of(const sgm_table *table, uint32_t number) {
    for (int i = 0; i < AHEAD && number; i++)
        number = table->blocks[number].next;
    return number;
}

/* Moves the patterns of a full first block to a new second one. */
static void spill(sgm_table *table, uint32_t number) {
    limit_blocks(table, number);
    uint32_t second = take_block(table);
    sgm_block *first = &table->blocks[number];
    table->blocks[second] = *first;
    table->blocks[second].other = ahead_of(table, second);
    first->next = second;
    first->key_and_count &= KEY_BITS;
}

void sgm_table_store(sgm_table *table, uint64_t key, const sgm_places *pattern, int lower, int upper) {
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
    put(first, count_of(first), pattern, lower, upper);
    first->key_and_count += UINT64_C(1) << COUNT_SHIFT;
    table->stats.stores++;
}
