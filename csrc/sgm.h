/* sgm.h - the public interface of the Sergeant Major solver core.
 *
 * Plain C99, usable without Python. The text between the two "ffi" marks is what cffi reads, so every
 * constant, type and function is declared once, here.
 *
 * The core knows cards as bits, positions and trick play; it knows nothing of deals, kitties, exchanges or
 * scores. It reads and writes no files, prints nothing and keeps no global state.
 *
 * Threads: a context is used by one thread at a time; several contexts may run in parallel. Only sgm_stop()
 * may be called from another thread while a search runs on the context.
 *
 * Errors: every function that can fail returns an sgm_status; SGM_OK is 0.
 */
#ifndef SGM_H
#define SGM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ffi-begin */

/* Seats 0, 1, 2 in playing order: 1 plays after 0, 2 after 1, 0 after 2. */
#define SGM_SEATS 3
#define SGM_SUITS 4
#define SGM_RANKS 13
#define SGM_MAX_TRICKS 17
#define SGM_NO_TRUMP 4
/* The least memory, in bytes, that sgm_new() accepts: 1 MiB. */
#define SGM_MIN_MEMORY 1048576

typedef enum {
    SGM_OK = 0,
    SGM_STOPPED = 1,       /* stopped by sgm_stop() or the node limit; the bounds proven so far are valid */
    SGM_ERR_NULL = 2,      /* a required pointer was NULL */
    SGM_ERR_MEMORY = 3,    /* the system refused the memory */
    SGM_ERR_BUDGET = 4,    /* memory budget below SGM_MIN_MEMORY */
    SGM_ERR_SEAT = 5,      /* leader or seat outside 0..2 */
    SGM_ERR_TRUMP = 6,     /* trump outside 0..4 */
    SGM_ERR_CARD = 7,      /* a bit that is no card is set, or a card number outside the deck */
    SGM_ERR_DUPLICATE = 8, /* a card is held twice, or held and already played to the trick */
    SGM_ERR_SIZE = 9,      /* hand sizes the trick in progress does not explain, or more than 17 cards */
    SGM_ERR_TRICK = 10,    /* more than 2 cards in the trick, or a card of it revokes */
    SGM_ERR_WINDOW = 11,   /* an empty window: lower above upper, or no possible value inside */
    SGM_ERR_FULL = 12,     /* the positions do not fit into the memory budget */
    SGM_ERR_UNKNOWN = 13,  /* no position of the play that was enumerated */
    SGM_ERR_THREADS = 14,  /* threads outside 1..SGM_MAX_THREADS */
    SGM_ERR_TIES = 15      /* no such rule for ties */
} sgm_status;

/* A position: cards as bits. Card number = 16 * suit + rank, suits 0..3 = S H D C, ranks 0..12 = 2..A; bit n
 * of a hand is card number n, so bits 13, 14, 15 of each group of 16 are never set. */
typedef struct {
    uint64_t hands[3];  /* what each seat still holds; cards of the trick in progress have left the hands */
    int8_t trump;       /* 0..3, or SGM_NO_TRUMP */
    int8_t leader;      /* seat that leads, or led, the trick */
    int8_t trick_count; /* cards of the trick in progress, 0..2 */
    uint8_t trick[2];   /* their card numbers, in the order of play */
} sgm_position;

/* Tricks: lower <= exact value <= upper; the value is known when the two are equal. */
typedef struct {
    int lower;
    int upper;
} sgm_bounds;

/* Counters since the context was made or cleared. */
typedef struct {
    uint64_t plays;     /* cards played by the search: the node count */
    uint64_t lookups;   /* positions looked up in the table */
    uint64_t hits;      /* look-ups that answered the question */
    uint64_t stores;    /* patterns stored */
    uint64_t evictions; /* times that patterns were dropped to make room */
    uint64_t memory;    /* bytes the context holds */
} sgm_stats;

typedef struct sgm_context sgm_context;

/* Makes a context with empty tables.
 * memory: bytes the context may hold in all, at least SGM_MIN_MEMORY. *out: the context, NULL on failure; the
 * caller frees it with sgm_free().
 * Returns SGM_OK, SGM_ERR_NULL, SGM_ERR_BUDGET or SGM_ERR_MEMORY. */
sgm_status sgm_new(uint64_t memory, sgm_context **out);

/* Frees a context and its tables. NULL is allowed. No search may be running on it. */
void sgm_free(sgm_context *context);

/* Forgets every stored pattern and zeroes the counters: the context is cold again. NULL is allowed. */
void sgm_clear(sgm_context *context);

/* Asks a running search, and every later one, to end: each returns SGM_STOPPED within 50 ms. Any thread may
 * call it. NULL is allowed. */
void sgm_stop(sgm_context *context);

/* Withdraws sgm_stop(). NULL is allowed. */
void sgm_resume(sgm_context *context);

/* Says whether a position can be searched, without searching.
 * Returns SGM_OK or the SGM_ERR_ status that names the fault. */
sgm_status sgm_check(const sgm_position *position);

/* Narrows the bounds on the tricks that a seat is sure of, counting the trick in progress and all later ones,
 * whatever the other two do, even together (max-min).
 * seat: 0..2. at_least: the search ends as soon as the question "at least this many?" is decided, so
 * either bounds->lower >= at_least or bounds->upper < at_least on return; 0 asks for the exact value.
 * node_limit: cards played at most, 0 for no limit. bounds: in, what the caller already knows (0 and
 * SGM_MAX_TRICKS if nothing; what is wrong there makes the answer wrong); out, what is proven, also when
 * SGM_STOPPED is returned.
 * The answer does not depend on what the tables hold.
 * Returns SGM_OK, SGM_STOPPED, or an SGM_ERR_ status with *bounds untouched. */
sgm_status sgm_guaranteed(sgm_context *context, const sgm_position *position, int seat, int at_least,
                          uint64_t node_limit, sgm_bounds *bounds);

/* Reads the counters. Returns SGM_OK or SGM_ERR_NULL. */
sgm_status sgm_get_stats(const sgm_context *context, sgm_stats *stats);

/* The equilibrium (max^n): every seat plays for the most tricks it can expect. All positions that can come up
 * from a root are enumerated, so that afterwards each of them has its values.
 *
 * What a seat does that has several best cards - within 1e-9 tricks - is up to the rule for ties. */
#define SGM_MAX_THREADS 256

typedef enum {
    SGM_TIES_NEUTRAL = 0, /* each of the best cards is as likely as the others */
    SGM_TIES_AGAINST = 1, /* of the best cards those that are worst for a named seat, evenly */
    SGM_TIES_FOR = 2      /* of the best cards those that are best for a named seat, evenly */
} sgm_ties;

/* How far an enumeration is. */
typedef struct {
    uint64_t listed;  /* positions at trick starts found so far */
    uint64_t valued;  /* positions that have their values; `listed` in the end */
    uint64_t lookups; /* positions looked up, to list them and to value others from them */
    uint64_t memory;  /* bytes held */
    uint64_t peak;    /* the most bytes that were ever held */
    uint64_t
        positions[18]; /* positions listed, by the cards a hand that are left; positions with one card a hand
                             * are not listed: they are played out */
} sgm_progress;

typedef struct sgm_equilibrium sgm_equilibrium;

/* Makes an enumeration that is empty.
 * memory: bytes that the positions may take, at least SGM_MIN_MEMORY; besides these it holds less than 1 MiB
 * for each thread while it runs. Whether a play fits does not depend on the threads. *out: the enumeration, NULL
 * on failure; the caller frees it with sgm_equilibrium_free().
 * Returns SGM_OK, SGM_ERR_NULL, SGM_ERR_BUDGET or SGM_ERR_MEMORY. */
sgm_status sgm_equilibrium_new(uint64_t memory, sgm_equilibrium **out);

/* Frees an enumeration. NULL is allowed. Nothing may be running on it. */
void sgm_equilibrium_free(sgm_equilibrium *equilibrium);

/* Forgets what was enumerated and frees its memory. NULL is allowed. */
void sgm_equilibrium_clear(sgm_equilibrium *equilibrium);

/* Asks a running sgm_equilibrium_solve(), and every later one, to end: each returns SGM_STOPPED within 50 ms. Any
 * thread may call it. NULL is allowed. */
void sgm_equilibrium_stop(sgm_equilibrium *equilibrium);

/* Withdraws sgm_equilibrium_stop(). NULL is allowed. */
void sgm_equilibrium_resume(sgm_equilibrium *equilibrium);

/* Enumerates the play from a root, in place of what was enumerated before.
 * threads: how many threads to use, 1..SGM_MAX_THREADS; the values do not depend on it to the last bit. ties: the
 * rule for ties. seat: the seat named by that rule, 0..2; any if neutral.
 * Returns SGM_OK, SGM_STOPPED, SGM_ERR_FULL - the progress then says how many positions had been found - or
 * another SGM_ERR_ status. The enumeration is empty unless SGM_OK is returned. */
sgm_status sgm_equilibrium_solve(sgm_equilibrium *equilibrium, const sgm_position *root, int threads,
                                 sgm_ties ties, int seat);

/* Values a position of the play that was enumerated: the root, or what any cards played from there lead to, also in
 * the middle of a trick.
 * values: the tricks that seats 0, 1, 2 can expect, the trick in progress and all later ones; untouched on failure.
 * Returns SGM_OK, SGM_ERR_UNKNOWN if there is no such position, or another SGM_ERR_ status. */
sgm_status sgm_equilibrium_values(sgm_equilibrium *equilibrium, const sgm_position *position,
                                  double values[3]);

/* Reads how far an enumeration is, also while it runs in other threads.
 * Returns SGM_OK or SGM_ERR_NULL. */
sgm_status sgm_equilibrium_progress(const sgm_equilibrium *equilibrium, sgm_progress *progress);

/* What a status means, in a few words; never NULL, never freed. */
const char *sgm_status_text(sgm_status status);

/* ffi-end */

#ifdef __cplusplus
}
#endif

#endif
