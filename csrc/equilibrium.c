/* equilibrium.c - max^n values by enumeration, trick by trick.
 *
 * Forward: from the positions with k cards a hand, all that the ways of a trick lead to are listed, each once, for
 * k from the root's down to 3. Backward: for k from 2 up, each position's value comes from the values of those with
 * a card less, by playing the tree of the trick's ways once more. There is no recursion; what a batch of positions
 * is going to look up is prefetched while the batch is put together; and threads share the positions of a level.
 *
 * A position's values are computed by the same steps whoever computes them, from values that are final: they do not
 * depend on the threads to the last bit.
 *
 * Invariant: bytes in `levels` are at most `memory`; before more is allocated it is counted.
 */
#include <pthread.h>
#include <stdlib.h>

#include "levels.h"
#include "position.h"
#include "sgm.h"
#include "tricks.h"

#define TIE 1e-9
#define BATCH_WAYS 512
#define CHUNK 1024u         /* slots that a thread takes at a time */
#define ALONE_BELOW 0x4000u /* slots that are not worth another thread */
#define FEWEST_SLOTS 64u
#define MOST_SLOTS 0x80000000u

struct sgm_equilibrium {
    atomic_int stop;
    uint64_t memory;
    sgm_ties ties;
    int seat;
    int tricks; /* of the root; 0 if nothing is enumerated */
    int trump;
    uint64_t root_cards; /* as the caller has them */
    uint64_t root_hands[3];
    sgm_owners owners;
    sgm_level levels[SGM_MAX_TRICKS]; /* by the cards a hand */
    /* What the threads share. */
    atomic_uint next_slot;
    atomic_int full; /* the level that is listed needs more room, or there is none */
    _Atomic uint64_t listed[SGM_MAX_TRICKS];
    _Atomic uint64_t valued, plays, lookups, held, peak;
};

/* A thread's part of a level. */
typedef struct {
    sgm_equilibrium *equilibrium;
    int cards;          /* a hand, in the positions it goes through */
    uint32_t next, end; /* slots of its chunk that are still to do */
    uint64_t plays, lookups;
    pthread_t thread;
    struct {
        uint32_t slot;
        int end; /* behind its last way */
        int leader;
    } positions[BATCH_WAYS];
    sgm_way ways[BATCH_WAYS + MAX_WAYS];
} worker;

typedef struct {
    double seats[3];
} outcome;

/* The cards that a seat can choose from. */
typedef struct {
    int count;
    outcome outcomes[SGM_MAX_TRICKS];
    int weights[SGM_MAX_TRICKS]; /* equal cards */
} choice;

sgm_status sgm_equilibrium_new(uint64_t memory, sgm_equilibrium **out) {
    if (!out)
        return SGM_ERR_NULL;
    *out = NULL;
    if (memory < SGM_MIN_MEMORY)
        return SGM_ERR_BUDGET;
    *out = calloc(1, sizeof **out);
    if (!*out)
        return SGM_ERR_MEMORY;
    (*out)->memory = memory;
    return SGM_OK;
}

static void forget(sgm_equilibrium *e) {
    for (int cards = 0; cards < SGM_MAX_TRICKS; cards++) {
        sgm_level_free(&e->levels[cards]);
    }
    e->tricks = 0;
    atomic_store(&e->held, 0);
}

void sgm_equilibrium_free(sgm_equilibrium *equilibrium) {
    if (!equilibrium)
        return;
    forget(equilibrium);
    free(equilibrium);
}

void sgm_equilibrium_stop(sgm_equilibrium *equilibrium) {
    if (equilibrium)
        atomic_store(&equilibrium->stop, 1);
}

void sgm_equilibrium_resume(sgm_equilibrium *equilibrium) {
    if (equilibrium)
        atomic_store(&equilibrium->stop, 0);
}

static int stopped(const sgm_equilibrium *e) {
    return atomic_load_explicit(&e->stop, memory_order_relaxed);
}

/* Choosing. */

/* Leaves those of the outcomes marked in `best` that are within a tie of the highest for a seat, times `sign`. */
static unsigned keep_best(const choice *from, unsigned best, int seat, double sign) {
    double top = -1e9;
    for (int i = 0; i < from->count; i++) {
        double value = sign * from->outcomes[i].seats[seat];
        if (best >> i & 1 && value > top)
            top = value;
    }
    for (int i = 0; i < from->count; i++) {
        if (sign * from->outcomes[i].seats[seat] < top - TIE)
            best &= ~(1u << i);
    }
    return best;
}

static outcome mean_of(const choice *from, unsigned best) {
    double sums[3] = {0, 0, 0};
    double weight = 0;
    for (int i = 0; i < from->count; i++) {
        if (best >> i & 1) {
            weight += from->weights[i];
            for (int seat = 0; seat < 3; seat++)
                sums[seat] += from->weights[i] * from->outcomes[i].seats[seat];
        }
    }
    return (outcome){{sums[0] / weight, sums[1] / weight, sums[2] / weight}};
}

/* What the choice of a seat comes to. */
static inline outcome decide(const sgm_equilibrium *e, const choice *from, int seat) {
    if (from->count == 1)
        return from->outcomes[0];
    unsigned best = keep_best(from, (1u << from->count) - 1, seat, 1);
    if (e->ties != SGM_TIES_NEUTRAL)
        best = keep_best(from, best, e->seat, e->ties == SGM_TIES_FOR ? 1 : -1);
    if (!(best & (best - 1)))
        return from->outcomes[__builtin_ctz(best)];
    return mean_of(from, best);
}

static inline void add(choice *to, outcome value, int weight) {
    to->outcomes[to->count] = value;
    to->weights[to->count++] = weight;
}

/* What the position after a way of a trick is worth, the trick included. cards: a hand, in that position. */
static inline outcome outcome_of(const sgm_equilibrium *e, const sgm_way *way, int cards) {
    outcome result = {{0, 0, 0}};
    if (cards > 1) {
        const sgm_level *level = &e->levels[cards];
        const double *known = level->values[sgm_level_find(level, way->key, way->slot)].seats;
        result = (outcome){{known[0], known[1], cards - known[0] - known[1]}};
    } else if (cards == 1) {
        uint64_t live = way->key & ALL_LANES;
        int leader = leader_of(way->key);
        uint64_t led = lane_of_card(e->owners.hands[leader] & live);
        uint64_t best = highest(live & (live & e->owners.trump ? e->owners.trump : led));
        for (int seat = 0; seat < 3; seat++)
            result.seats[seat] = (e->owners.hands[seat] & best) != 0;
    }
    result.seats[leader_of(way->key)] += 1;
    return result;
}

/* Values a trick from its ways. cards: a hand, after it. */
static outcome value_of(const sgm_equilibrium *e, const sgm_way *ways, int count, int leader, int cards) {
    choice leads, answers, lasts;
    int second = next_seat(leader);
    int third = next_seat(second);
    leads.count = answers.count = lasts.count = 0;
    for (const sgm_way *way = ways; way < ways + count; way++) {
        add(&lasts, outcome_of(e, way, cards), way->third);
        if (way->second) {
            add(&answers, decide(e, &lasts, third), way->second);
            lasts.count = 0;
        }
        if (way->lead) {
            add(&leads, decide(e, &answers, second), way->lead);
            answers.count = 0;
        }
    }
    return decide(e, &leads, leader);
}

/* Going through a level. */

/* Takes the next chunk of a level; returns whether there was one. */
static int take_chunk(worker *w, const sgm_level *level) {
    uint32_t start = atomic_fetch_add_explicit(&w->equilibrium->next_slot, CHUNK, memory_order_relaxed);
    if (start >= level->slots) {
        atomic_store_explicit(&w->equilibrium->next_slot, level->slots, memory_order_relaxed);
        return 0;
    }
    w->next = start;
    w->end = level->slots - start < CHUNK ? level->slots : start + CHUNK;
    return 1;
}

/* Lists the ways of some positions of the chunk, from slot w->next on, and prefetches what will be looked up in
 * the level below. Returns how many positions; *next: the slot behind the last one. */
static int fill_batch(worker *w, const sgm_level *level, const sgm_level *below, uint32_t *next) {
    static const uint64_t nothing_played[2] = {0, 0};
    const sgm_equilibrium *e = w->equilibrium;
    int count = 0, used = 0;
    uint32_t slot = w->next;
    for (; slot < w->end && used < BATCH_WAYS && count < BATCH_WAYS; slot++) {
        uint64_t key = atomic_load_explicit(&level->keys[slot], memory_order_relaxed);
        if (!key)
            continue;
        int start = used;
        used += sgm_tricks(&e->owners, key, nothing_played, w->ways + used);
        if (w->cards > 2) {
            for (int i = start; i < used; i++) {
                w->ways[i].slot = sgm_home(below, w->ways[i].key);
                __builtin_prefetch((const void *)&below->keys[w->ways[i].slot]);
                if (below->values)
                    __builtin_prefetch(&below->values[w->ways[i].slot]);
            }
        }
        w->positions[count].slot = slot;
        w->positions[count].leader = leader_of(key);
        w->positions[count++].end = used;
    }
    *next = slot;
    w->plays += 3 * (uint64_t)used;
    w->lookups += (uint64_t)used;
    return count;
}

static void report(worker *w) {
    atomic_fetch_add_explicit(&w->equilibrium->plays, w->plays, memory_order_relaxed);
    atomic_fetch_add_explicit(&w->equilibrium->lookups, w->lookups, memory_order_relaxed);
    w->plays = w->lookups = 0;
}

/* How many keys a level takes before it has to grow: every thread may add what its batch leads to before it
 * looks again. */
static uint64_t room(const sgm_level *level) {
    return (uint64_t)level->slots / 8 * 5;
}

static uint64_t most_ways(int cards) {
    return BATCH_WAYS + (uint64_t)(cards * cards * cards);
}

/* Inserts what the positions of a level lead to into the level below. */
static void *list_part(void *argument) {
    worker *w = argument;
    sgm_equilibrium *e = w->equilibrium;
    const sgm_level *level = &e->levels[w->cards];
    sgm_level *below = &e->levels[w->cards - 1];
    _Atomic uint64_t *listed = &e->listed[w->cards - 1];
    while (!stopped(e) && !atomic_load_explicit(&e->full, memory_order_relaxed)) {
        if (w->next == w->end && !take_chunk(w, level))
            break;
        uint32_t next;
        int count = fill_batch(w, level, below, &next);
        int ways = count ? w->positions[count - 1].end : 0;
        uint64_t added = 0;
        for (int i = 0; i < ways; i++)
            added += sgm_level_insert(below, w->ways[i].key, w->ways[i].slot);
        w->next = next;
        uint64_t all = atomic_fetch_add_explicit(listed, added, memory_order_relaxed) + added;
        if (all > room(below))
            atomic_store_explicit(&e->full, 1, memory_order_relaxed);
        report(w);
    }
    return NULL;
}

/* Values the positions of a level. */
static void *value_part(void *argument) {
    worker *w = argument;
    sgm_equilibrium *e = w->equilibrium;
    const sgm_level *level = &e->levels[w->cards];
    while (!stopped(e)) {
        if (w->next == w->end && !take_chunk(w, level))
            break;
        uint32_t next;
        int count = fill_batch(w, level, &e->levels[w->cards - 1], &next);
        for (int i = 0, start = 0; i < count; start = w->positions[i++].end) {
            outcome value = value_of(e, w->ways + start, w->positions[i].end - start, w->positions[i].leader,
                                     w->cards - 1);
            level->values[w->positions[i].slot] = (sgm_value){{value.seats[0], value.seats[1]}};
        }
        w->next = next;
        atomic_fetch_add_explicit(&e->valued, (uint64_t)count, memory_order_relaxed);
        report(w);
    }
    return NULL;
}

/* Lets the threads do their parts. If the system refuses a thread, the others do its part. */
static void run(worker *workers, int threads, const sgm_level *level, void *(*part)(void *)) {
    int started = 0;
    if (level->slots < ALONE_BELOW)
        threads = 1;
    for (int i = 1; i < threads; i++, started++) {
        if (pthread_create(&workers[i].thread, NULL, part, &workers[i]))
            break;
    }
    part(&workers[0]);
    for (int i = 1; i <= started; i++)
        pthread_join(workers[i].thread, NULL);
}

static void start_level(worker *workers, int threads, int cards) {
    atomic_store(&workers->equilibrium->next_slot, 0);
    for (int i = 0; i < threads; i++) {
        workers[i].cards = cards;
        workers[i].next = workers[i].end = 0;
    }
}

/* Memory. */

/* Bytes that all levels will hold with their values, if the one with so many cards gets so many slots. */
static uint64_t bytes_with(const sgm_equilibrium *e, int cards, uint64_t slots) {
    uint64_t bytes = 0;
    for (int other = 0; other < SGM_MAX_TRICKS; other++)
        bytes += (other == cards ? slots : e->levels[other].slots) * (sizeof(uint64_t) + sizeof(sgm_value));
    return bytes;
}

static void hold(sgm_equilibrium *e, uint64_t bytes) {
    atomic_store(&e->held, bytes);
    if (bytes > atomic_load(&e->peak))
        atomic_store(&e->peak, bytes);
}

static uint32_t slots_for(uint64_t positions, uint64_t spare) {
    uint64_t slots = positions * 8 / 5 + 2 * spare + FEWEST_SLOTS;
    return slots < MOST_SLOTS ? (uint32_t)slots : MOST_SLOTS;
}

static sgm_status grow(sgm_equilibrium *e, int cards, uint32_t slots) {
    sgm_level *level = &e->levels[cards];
    if (slots == MOST_SLOTS || bytes_with(e, cards, slots) > e->memory)
        return SGM_ERR_FULL;
    hold(e, bytes_with(e, cards, slots));
    if (!sgm_level_resize(level, slots, &e->stop))
        return stopped(e) ? SGM_STOPPED : SGM_ERR_MEMORY;
    return SGM_OK;
}

/* Lists the positions with a card less than those with `cards`. */
static sgm_status list_below(sgm_equilibrium *e, worker *workers, int threads, int cards) {
    sgm_level *level = &e->levels[cards], *below = &e->levels[cards - 1];
    uint64_t spare = most_ways(cards) * threads * 2;
    if (!sgm_level_init(below, slots_for(2 * level->count, spare)))
        return SGM_ERR_MEMORY;
    start_level(workers, threads, cards);
    for (;;) {
        atomic_store(&e->full, 0);
        run(workers, threads, level, list_part);
        below->count = atomic_load(&e->listed[cards - 1]);
        if (stopped(e))
            return SGM_STOPPED;
        if (!atomic_load(&e->full))
            break;
        sgm_status status = grow(e, cards - 1, slots_for(2 * below->count, spare));
        if (status != SGM_OK)
            return status;
    }
    return grow(e, cards - 1, slots_for(below->count, 0));
}

static sgm_status list_all(sgm_equilibrium *e, worker *workers, int threads, uint64_t root,
                           const uint64_t played[2]) {
    if (e->tricks < 3)
        return SGM_OK;
    sgm_level *first = &e->levels[e->tricks - 1];
    int ways = sgm_tricks(&e->owners, root, played, workers->ways);
    if (!sgm_level_init(first, slots_for((uint64_t)ways, 0)))
        return SGM_ERR_MEMORY;
    for (int i = 0; i < ways; i++)
        first->count += sgm_level_insert(first, workers->ways[i].key, sgm_home(first, workers->ways[i].key));
    atomic_store(&e->listed[e->tricks - 1], first->count);
    for (int cards = e->tricks - 1; cards > 2; cards--) {
        sgm_status status = list_below(e, workers, threads, cards);
        if (status != SGM_OK)
            return status;
    }
    return SGM_OK;
}

static sgm_status value_all(sgm_equilibrium *e, worker *workers, int threads) {
    for (int cards = 2; cards < e->tricks; cards++) {
        if (!sgm_level_add_values(&e->levels[cards]))
            return SGM_ERR_MEMORY;
        start_level(workers, threads, cards);
        run(workers, threads, &e->levels[cards], value_part);
        if (stopped(e))
            return SGM_STOPPED;
    }
    return SGM_OK;
}

/* The public calls. */

static uint64_t key_of(const sgm_equilibrium *e, const sgm_position *position, uint64_t played[2]) {
    uint64_t owned[3];
    sgm_trick_start(position, owned);
    for (int i = 0; i < 2; i++)
        played[i] = i < position->trick_count
                        ? sgm_normalised(UINT64_C(1) << position->trick[i], e->root_cards, e->trump)
                        : 0;
    uint64_t live = sgm_normalised(owned[0] | owned[1] | owned[2], e->root_cards, e->trump);
    return live | (uint64_t)position->leader << KEY_LEADER;
}

static void set_root(sgm_equilibrium *e, const sgm_position *root) {
    uint64_t hands[3];
    sgm_trick_start(root, e->root_hands);
    e->root_cards = e->root_hands[0] | e->root_hands[1] | e->root_hands[2];
    e->trump = root->trump;
    for (int seat = 0; seat < 3; seat++)
        hands[seat] = sgm_normalised(e->root_hands[seat], e->root_cards, e->trump);
    sgm_owners_init(&e->owners, hands, e->trump == SGM_NO_TRUMP ? 0 : lane_of_suit(3));
}

sgm_status sgm_equilibrium_solve(sgm_equilibrium *equilibrium, const sgm_position *root, int threads,
                                 sgm_ties ties, int seat) {
    sgm_equilibrium *e = equilibrium;
    if (!e)
        return SGM_ERR_NULL;
    sgm_status status = sgm_check(root);
    if (status != SGM_OK)
        return status;
    if (threads < 1 || threads > SGM_MAX_THREADS)
        return SGM_ERR_THREADS;
    if ((unsigned)ties > SGM_TIES_FOR)
        return SGM_ERR_TIES;
    if (ties != SGM_TIES_NEUTRAL && (seat < 0 || seat > 2))
        return SGM_ERR_SEAT;
    forget(e);
    worker *workers = calloc((size_t)threads, sizeof *workers);
    if (!workers)
        return SGM_ERR_MEMORY;
    for (int i = 0; i < threads; i++)
        workers[i].equilibrium = e;
    e->ties = ties;
    e->seat = seat;
    for (int cards = 0; cards < SGM_MAX_TRICKS; cards++)
        atomic_store(&e->listed[cards], 0);
    atomic_store(&e->valued, 0);
    atomic_store(&e->plays, 0);
    atomic_store(&e->lookups, 0);
    set_root(e, root);
    e->tricks = sgm_tricks_left(root);
    uint64_t played[2];
    uint64_t key = key_of(e, root, played);
    status = list_all(e, workers, threads, key, played);
    if (status == SGM_OK)
        status = value_all(e, workers, threads);
    free(workers);
    if (status != SGM_OK)
        forget(e);
    return status;
}

sgm_status sgm_equilibrium_values(sgm_equilibrium *equilibrium, const sgm_position *position,
                                  double values[3]) {
    sgm_equilibrium *e = equilibrium;
    if (!e || !values)
        return SGM_ERR_NULL;
    sgm_status status = sgm_check(position);
    if (status != SGM_OK)
        return status;
    uint64_t owned[3];
    sgm_trick_start(position, owned);
    for (int seat = 0; seat < 3; seat++) {
        if (owned[seat] & ~e->root_hands[seat])
            return SGM_ERR_UNKNOWN;
    }
    int tricks = sgm_tricks_left(position);
    if (tricks > e->tricks || position->trump != e->trump)
        return SGM_ERR_UNKNOWN;
    uint64_t played[2];
    uint64_t key = key_of(e, position, played);
    sgm_way *ways = malloc(MAX_WAYS * sizeof *ways);
    if (!ways)
        return SGM_ERR_MEMORY;
    outcome value = {{0, 0, 0}};
    int count = tricks ? sgm_tricks(&e->owners, key, played, ways) : 0;
    for (int i = 0; tricks > 2 && i < count; i++) {
        const sgm_level *below = &e->levels[tricks - 1];
        ways[i].slot = sgm_home(below, ways[i].key);
        if (sgm_level_find(below, ways[i].key, ways[i].slot) == below->slots)
            status = SGM_ERR_UNKNOWN;
    }
    if (status == SGM_OK && count)
        value = value_of(e, ways, count, position->leader, tricks - 1);
    free(ways);
    for (int seat = 0; status == SGM_OK && seat < 3; seat++)
        values[seat] = value.seats[seat];
    return status;
}

sgm_status sgm_equilibrium_progress(const sgm_equilibrium *equilibrium, sgm_progress *progress) {
    if (!equilibrium || !progress)
        return SGM_ERR_NULL;
    *progress = (sgm_progress){0};
    for (int cards = 0; cards < SGM_MAX_TRICKS; cards++) {
        progress->positions[cards] = atomic_load(&equilibrium->listed[cards]);
        progress->listed += progress->positions[cards];
    }
    progress->valued = atomic_load(&equilibrium->valued);
    progress->plays = atomic_load(&equilibrium->plays);
    progress->lookups = atomic_load(&equilibrium->lookups);
    progress->memory = atomic_load(&equilibrium->held);
    progress->peak = atomic_load(&equilibrium->peak);
    return SGM_OK;
}
