/* table.h - the transposition table: what is proven of positions at trick starts.
 *
 * A pattern stands for every position with the same key (leader, trump or none, the twelve suit lengths)
 * whose top cards are held alike: in each suit it names the holders of the first so many cards from the top
 * and leaves the rest open, because the proof never compared them (partition search, Ginsberg 1996). Its
 * bounds hold for all of these.
 *
 *   pattern (16 bytes): four lanes of 32 bits, one a suit
 *     bits  0..25  holders from the top down, two bits a card; 3 = open (only at the lower end)
 *     bits 26..31  lane 0: lower bound; lane 1: upper bound; lanes 2 and 3: zero
 *   print (16 bits): the first two holders of each suit, four bits a suit: a pattern's digest, and a
 * position's block (256 bytes, four cache lines): a header of 16 bytes, thirteen prints, thirteen patterns
 *
 * The patterns of one key are a list of blocks. The first is found through an index of block numbers by hash;
 * first blocks with the same index slot are linked. New patterns go to the first block, and a pattern that
 * answers moves there, so what is asked again is found first. A look-up compares prints, all of a block at
 * once, and reads only the patterns whose print matches.
 *
 * Invariants: a block is in the free list or in exactly one key's list; every block of a list but the first is
 * full. Block number 0 is no block. Callers get copies and never hold a pointer into the table.
 * Cost: a look-up reads one cache line for each block of the key until a pattern answers. A key keeps 40 blocks
 * and drops its oldest for more; a full table drops whole keys, one index slot after the other. Answers stay exact
 * because a lost proof is found again.
 */
#ifndef SGM_TABLE_H
#define SGM_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "sgm.h"

typedef uint32_t sgm_lanes __attribute__((vector_size(16)));

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

/* What a look-up found. decided: the bounds settle "at least `need`?". holders: the pattern, when decided. */
typedef struct {
    int decided;
    int lower;
    int upper;
    sgm_lanes holders;
} sgm_found;

/* Allocates the table inside `memory` bytes. Returns SGM_OK or SGM_ERR_MEMORY. */
sgm_status sgm_table_init(sgm_table *table, uint64_t memory);

void sgm_table_free(sgm_table *table);

/* Forgets all patterns and zeroes the counters. */
void sgm_table_clear(sgm_table *table);

/* Asks what is known about a position: its key, its holders, and the question "at least `need` tricks?". */
sgm_found sgm_table_find(sgm_table *table, uint64_t key, sgm_lanes holders, int need);

/* Records that every position the pattern stands for has lower..upper tricks. Bounds of the same pattern are
 * joined. */
void sgm_table_store(sgm_table *table, uint64_t key, sgm_lanes pattern, int lower, int upper);

#endif
