/* table.h - the transposition table: what is proven of positions at trick starts.
 *
 * A pattern stands for every position with the same key (leader, trump or none, the twelve suit lengths) that
 * agrees with it: in each suit, on the side that holds each of the first so many cards from the top, and on
 * how many of the cards down to each of its marks are seat 1's. The rest is open, because the proof never
 * looked at it (partition search, Ginsberg 1996; what the marks are for is told in search.h).
 *
 *   pattern (32 bytes): four lanes of 64 bits, one a suit, as a place of relative.h, but
 *     bits  0..47  15 where the count is open: there is no mark at that card
 *     bits 48..60  zero below the lowest mark
 *   print (32 bits): the sides of the first four cards of each suit, four bits a suit, and which of them count
 *   block (512 bytes, eight cache lines): a header of 16 bytes, twelve prints, twelve pairs of bounds,
 *     twelve patterns
 *
 * The patterns of one key are a list of blocks. The first is found through an index of block numbers by hash;
 * first blocks with the same index slot are linked. New patterns go to the first block, and a pattern that
 * answers moves there, so what is asked again is found first. A look-up compares prints, eight at once, and
 * reads only the patterns whose print agrees.
 *
 * Invariants: a block is in the free list or in exactly one key's list; every block of a list but the first is
 * full. Block number 0 is no block. Callers get copies and never hold a pointer into the table.
 * Cost: a look-up reads one cache line for each block of the key until a pattern answers. A key keeps 80
 * blocks and drops its oldest for more; a full table drops whole keys, one index slot after the other. Answers
 * stay exact because a lost proof is found again.
 */
#ifndef SGM_TABLE_H
#define SGM_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "relative.h"
#include "sgm.h"

/* What a position or a pattern says of each suit: a place of relative.h. */
typedef struct {
    uint64_t suit[4];
} sgm_places;

typedef struct sgm_block sgm_block;

typedef struct {
    sgm_block *blocks; /* block 0 is never used */
    uint32_t *index;   /* first block of the first key in each slot */
    uint32_t block_count;
    uint32_t index_limit; /* slots there is room for, a power of two */
    uint32_t index_size;  /* slots in use, a power of two */
    uint32_t used;        /* blocks below this number have been handed out at least once */
    uint32_t free_list;
    uint32_t keys;
    uint32_t sweep; /* the slot to drop keys from next */
    sgm_stats stats;
} sgm_table;

/* What a look-up found. decided: the bounds settle "at least `need`?". pattern: the one that does, when decided. */
typedef struct {
    int decided;
    int lower;
    int upper;
    sgm_places pattern;
} sgm_found;

#define SGM_NO_MARKS SUIT_COUNTS /* the lane of a pattern that is open in the whole suit */

/* The marks of a pattern's suit: the lowest bit of each count that is not open. */
static inline uint64_t sgm_marks(uint64_t lane) {
    uint64_t ones = lane & (lane >> 1);
    return (ones & (ones >> 2) & EACH_COUNT) ^ EACH_COUNT;
}

/* Allocates the table inside `memory` bytes. Returns SGM_OK or SGM_ERR_MEMORY. */
sgm_status sgm_table_init(sgm_table *table, uint64_t memory);

void sgm_table_free(sgm_table *table);

/* Forgets all patterns and zeroes the counters. */
void sgm_table_clear(sgm_table *table);

/* Asks what is known about a position: its key, its places, and the question "at least `need` tricks?". */
sgm_found sgm_table_find(sgm_table *table, uint64_t key, const sgm_places *places, int need);

/* Records that every position the pattern stands for has lower..upper tricks. Bounds of the same pattern are
 * joined. */
void sgm_table_store(sgm_table *table, uint64_t key, const sgm_places *pattern, int lower, int upper);

#endif
