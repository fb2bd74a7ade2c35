/* equilibrium.c - max^n values by enumeration, trick by trick.
 *
 * Forward: from the positions with k cards a hand, all that the cells of a trick lead to are listed, each once, for
 * k from the root's down to 3. Backward: for k from 2 up, each position's value comes from the values of those with
 * a card less: in each box of cells third hand chooses for every lead and answer, then second hand for every lead,
 * and the leader among the leads of all boxes. There is no recursion; what a batch of positions is going to look up
 * is prefetched while the batch is put together; and threads share the positions of a level.
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
#define BATCH_STARTS 32
#define MOST_OUTCOMES (SGM_MAX_TRICKS * SGM_MAX_TRICKS * SGM_MAX_TRICKS)
#define FEWEST_SLOTS 64u
#define MOST_SLOTS 0x80000000u

/* Tests make these small, so that small plays have threads that meet and tables that grow. */
#ifndef BATCH_CELLS
#define BATCH_CELLS 256
#endif
#ifndef CHUNK
#define CHUNK 1024u /* slots that a thread takes at a time */
#endif
#ifndef ALONE_BELOW
#define ALONE_BELOW 0x1000u /* slots that are not worth another thread */
#endif
#ifndef FIRST_GUESS
#define FIRST_GUESS 2 /* times as many positions as in the level above */
#endif

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
    atomic_int full;       /* the level that is listed needs more room */
    _Atomic uint64_t keys; /* in the level that is listed */
    _Atomic uint64_t listed[SGM_MAX_TRICKS];
    _Atomic uint64_t valued, lookups, held, peak;
};

/* Two numbers that are reckoned with together. */
typedef double pair __attribute__((vector_size(16)));

/* What some choices are worth: to seats 0 and 1, and to seat 2. */
typedef struct {
    pair both[MOST_OUTCOMES];
    double third[MOST_OUTCOMES];
    double sizes[MAX_RUNS]; /* leads: how many equal cards each stands for */
    int count;
} outcomes;

/* A thread's part of a level. */
typedef struct {
    sgm_equilibrium *equilibrium;
    int cards;          /* a hand, in the positions it goes through */
    uint32_t next, end; /* slots of its chunk that are still to do */
    pthread_t thread;
    struct {
        uint32_t slot;
        sgm_start start;
    } batch[BATCH_STARTS];
    sgm_cell cells[BATCH_CELLS + MOST_CELLS(SGM_MAX_TRICKS)];
    outcomes cells_of_box;
    outcomes answers;
    outcomes leads[3]; /* by leader */
} worker;

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

static void release(sgm_equilibrium *e) {
    for (int cards = 0; cards < SGM_MAX_TRICKS; cards++)
        sgm_level_free(&e->levels[cards]);
    e->tricks = 0;
    atomic_store(&e->held, 0);
}

void sgm_equilibrium_clear(sgm_equilibrium *equilibrium) {
    if (!equilibrium)
        return;
    release(equilibrium);
    for (int cards = 0; cards < SGM_MAX_TRICKS; cards++)
        atomic_store(&equilibrium->listed[cards], 0);
    atomic_store(&equilibrium->valued, 0);
    atomic_store(&equilibrium->lookups, 0);
}

void sgm_equilibrium_free(sgm_equilibrium *equilibrium) {
    sgm_equilibrium_clear(equilibrium);
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

/* Choices of the same kind: a table with `rows` rows of `columns`, in each place one choice of `count` cards. */
typedef struct {
    int rows, row_step;
    int columns, column_step;
    int count, step;
    const double *sizes; /* how many equal cards each of the `count` stands for */
    int seat;            /* who chooses */
    int tricks;          /* that the outcomes add up to */
} choices;

/* What seat `seat` gets of an outcome is own[step * number]. */
static inline const double *own_of(const outcomes *from, int seat, int *step) {
    *step = seat == 2 ? 1 : 2;
    return seat == 2 ? from->third : (const double *)from->both + seat;
}

/* Zeroes the weights of all but those that are best for a seat, or worst if the sign is negative. */
static void keep_extreme(double *weights, const outcomes *from, int first, int step, int count, int seat,
                         double sign) {
    int own_step;
    const double *own = own_of(from, seat, &own_step);
    double top = -1e9;
    for (int i = 0; i < count; i++) {
        double value = sign * own[own_step * (first + i * step)];
        if (weights[i] > 0 && value > top)
            top = value;
    }
    for (int i = 0; i < count; i++) {
        if (sign * own[own_step * (first + i * step)] < top - TIE)
            weights[i] = 0;
    }
}

/* Weighs what some choices come to. Inlined with a known count of cards, it has no branches. */
static inline __attribute__((always_inline)) void weigh(const sgm_equilibrium *e, const choices *by,
                                                        int count, const outcomes *from, outcomes *to) {
    const int neutral = e->ties == SGM_TIES_NEUTRAL;
    const double tricks = by->tricks;
    int own_step, place = to->count;
    const double *own = own_of(from, by->seat, &own_step);
    double sizes[MAX_RUNS]; /* a copy: what is written below is none of these */
    for (int i = 0; i < count; i++)
        sizes[i] = by->sizes[i];
    for (int row = 0; row < by->rows; row++) {
        for (int column = 0; column < by->columns; column++, place++) {
            int first = row * by->row_step + column * by->column_step;
            double weights[MAX_RUNS];
            double top = own[own_step * first], weight = 0;
            pair sum = {0, 0};
            for (int i = 1; i < count; i++) {
                double value = own[own_step * (first + i * by->step)];
                top = value > top ? value : top;
            }
            for (int i = 0; i < count; i++)
                weights[i] = own[own_step * (first + i * by->step)] >= top - TIE ? sizes[i] : 0;
            if (!neutral)
                keep_extreme(weights, from, first, by->step, count, e->seat,
                             e->ties == SGM_TIES_FOR ? 1 : -1);
            for (int i = 0; i < count; i++) {
                weight += weights[i];
                sum += from->both[first + i * by->step] * weights[i];
            }
            pair both = sum / (pair){weight, weight};
            to->both[place] = both;
            to->third[place] = tricks - both[0] - both[1];
        }
    }
    to->count = place;
}

/* Adds what some choices come to. */
static void decide(const sgm_equilibrium *e, const choices *by, const outcomes *from, outcomes *to) {
    switch (by->count) {
    case 1:
        weigh(e, by, 1, from, to);
        break;
    case 2:
        weigh(e, by, 2, from, to);
        break;
    case 3:
        weigh(e, by, 3, from, to);
        break;
    case 4:
        weigh(e, by, 4, from, to);
        break;
    default:
        weigh(e, by, by->count, from, to);
    }
}

/* Sets w->cells_of_box to what the cells of a box are worth, the trick included. cards: a hand, after it. */
static void value_cells(worker *w, const sgm_cell *cells, int count, int cards) {
    static const pair won[3] = {{1, 0}, {0, 1}, {0, 0}};
    const sgm_equilibrium *e = w->equilibrium;
    const sgm_level *level = &e->levels[cards];
    for (int i = 0; i < count; i++) {
        const sgm_cell *cell = &cells[i];
        pair both = {0, 0};
        if (cards > 1) {
            const double *known = level->values[cell->slot][cell->winner].seats;
            both = (pair){known[0], known[1]};
        } else if (cards == 1) {
            uint64_t led = lane_of_card(e->owners.hands[cell->winner] & cell->live);
            uint64_t trumps = cell->live & e->owners.trump;
            uint64_t best = highest(trumps ? trumps : cell->live & led);
            both = won[e->owners.hands[0] & best ? 0 : e->owners.hands[1] & best ? 1 : 2];
        }
        both += won[cell->winner];
        w->cells_of_box.both[i] = both;
        w->cells_of_box.third[i] = cards + 1 - both[0] - both[1];
    }
}

/* Adds the leads of a suit to what the leader can choose from. */
static void value_leads(worker *w, const sgm_start *start, const sgm_box *box, int leader, int tricks) {
    const int step[3] = {box->count[1] * box->count[2], box->count[2], 1};
    int second = next_seat(leader), third = next_seat(second);
    const choices of_third = {box->count[leader],
                              step[leader],
                              box->count[second],
                              step[second],
                              box->count[third],
                              step[third],
                              start->runs[third].sizes + box->first[third],
                              third,
                              tricks};
    const choices of_second = {1,
                               0,
                               box->count[leader],
                               box->count[second],
                               box->count[second],
                               1,
                               start->runs[second].sizes + box->first[second],
                               second,
                               tricks};
    outcomes *leads = &w->leads[leader];
    for (int i = 0; i < box->count[leader]; i++)
        leads->sizes[leads->count + i] = start->runs[leader].sizes[box->first[leader] + i];
    w->answers.count = 0;
    decide(w->equilibrium, &of_third, &w->cells_of_box, &w->answers);
    decide(w->equilibrium, &of_second, &w->answers, leads);
}

/* Values a trick from its cells, box after box, for each seat that may lead. Returns the number of cells. */
static int value_start(worker *w, const sgm_start *start, const sgm_cell *cells, int tricks,
                       sgm_values values) {
    const sgm_cell *first = cells;
    for (int leader = 0; leader < 3; leader++)
        w->leads[leader].count = 0;
    for (int suit = 0; suit < 4; suit++) {
        const sgm_box *box = &start->boxes[suit];
        if (!box->leaders)
            continue;
        int count = box->count[0] * box->count[1] * box->count[2];
        value_cells(w, cells, count, tricks - 1);
        cells += count;
        for (int leader = 0; leader < 3; leader++) {
            if (box->leaders >> leader & 1)
                value_leads(w, start, box, leader, tricks);
        }
    }
    for (int leader = 0; leader < 3; leader++) {
        const outcomes *leads = &w->leads[leader];
        const choices of_leader = {1, 0, 1, 0, leads->count, 1, leads->sizes, leader, tricks};
        if (!leads->count)
            continue;
        w->answers.count = 0;
        decide(w->equilibrium, &of_leader, leads, &w->answers);
        values[leader] = (sgm_value){{w->answers.both[0][0], w->answers.both[0][1]}};
    }
    return (int)(cells - first);
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

/* Lists the cells of a trick, box after box; returns how many. below: the level that they lead to, NULL if it is
 * not listed. What will be looked up there is prefetched. */
static int list_cells(const sgm_equilibrium *e, const sgm_start *start, const sgm_level *below,
                      sgm_cell *cells) {
    int count = sgm_cells(&e->owners, start, cells);
    for (int i = 0; below && i < count; i++) {
        uint32_t slot = cells[i].slot = sgm_home(below, cells[i].live);
        __builtin_prefetch((const void *)&below->keys[slot]);
    }
    return count;
}

static const sgm_level *level_below(const sgm_equilibrium *e, int cards) {
    return cards > 2 ? &e->levels[cards - 1] : NULL;
}

/* Starts some positions of the chunk, from slot w->next on, and lists their cells. Returns how many positions;
 * *cells: how many cells; *next: the slot behind the last one. */
static int fill_batch(worker *w, int *cells, uint32_t *next) {
    const sgm_equilibrium *e = w->equilibrium;
    const sgm_level *level = &e->levels[w->cards];
    uint32_t slot = w->next;
    int count = 0;
    *cells = 0;
    for (; slot < w->end && *cells < BATCH_CELLS && count < BATCH_STARTS; slot++) {
        uint64_t key = sgm_key_at(level, slot);
        if (!key)
            continue;
        w->batch[count].slot = slot;
        sgm_start_init(&w->batch[count].start, &e->owners, live_of(key), leaders_of(key), NULL);
        *cells += list_cells(e, &w->batch[count++].start, level_below(e, w->cards), w->cells + *cells);
    }
    *next = slot;
    return count;
}

/* How many keys a level takes before it has to grow: every thread may add what its batch leads to before it
 * looks again. */
static uint64_t room(const sgm_level *level) {
    return (uint64_t)level->slots / 8 * 5;
}

/* Inserts what the positions of a level lead to into the level below. */
static void *list_part(void *argument) {
    worker *w = argument;
    sgm_equilibrium *e = w->equilibrium;
    sgm_level *below = &e->levels[w->cards - 1];
    while (!stopped(e) && !atomic_load_explicit(&e->full, memory_order_relaxed)) {
        if (w->next == w->end && !take_chunk(w, &e->levels[w->cards]))
            break;
        uint32_t next;
        int cells;
        uint64_t new_keys = 0, new_positions = 0;
        fill_batch(w, &cells, &next);
        for (int i = 0; i < cells; i++) {
            int found =
                sgm_level_insert(below, key_of(w->cells[i].live, 1 << w->cells[i].winner), w->cells[i].slot);
            new_keys += found == 2;
            new_positions += found != 0;
        }
        w->next = next;
        atomic_fetch_add_explicit(&e->listed[w->cards - 1], new_positions, memory_order_relaxed);
        if (atomic_fetch_add_explicit(&e->keys, new_keys, memory_order_relaxed) + new_keys > room(below))
            atomic_store_explicit(&e->full, 1, memory_order_relaxed);
        atomic_fetch_add_explicit(&e->lookups, (uint64_t)cells, memory_order_relaxed);
    }
    return NULL;
}

/* Finds the slots of cells whose homes are known, and prefetches the values. */
static void find_cells(const sgm_level *level, sgm_cell *cells, int count) {
    for (int i = 0; i < count; i++) {
        cells[i].slot = sgm_level_slot(level, cells[i].live, cells[i].slot);
        __builtin_prefetch(&level->values[cells[i].slot][cells[i].winner]);
    }
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
        int cells, done = 0;
        int count = fill_batch(w, &cells, &next);
        const sgm_cell *cell = w->cells;
        if (level_below(e, w->cards))
            find_cells(level_below(e, w->cards), w->cells, cells);
        for (int i = 0; i < count; i++) {
            const sgm_start *start = &w->batch[i].start;
            cell += value_start(w, start, cell, w->cards, level->values[w->batch[i].slot]);
            done += count_cards((uint64_t)start->leaders);
        }
        w->next = next;
        atomic_fetch_add_explicit(&e->valued, (uint64_t)done, memory_order_relaxed);
        atomic_fetch_add_explicit(&e->lookups, (uint64_t)cells, memory_order_relaxed);
    }
    return NULL;
}

/* Lets each worker do its part, at most `at_once` of them in a thread at a time. The caller does the parts that have
 * no thread, one after the other: a worker may have a chunk that it has begun. */
static void run(worker *workers, int threads, int at_once, const sgm_level *level, void *(*part)(void *)) {
    int started = 0;
    if (level->slots < ALONE_BELOW)
        at_once = 1;
    while (started + 1 < at_once &&
           pthread_create(&workers[started + 1].thread, NULL, part, &workers[started + 1]) == 0)
        started++;
    part(&workers[0]);
    for (int i = started + 1; i < threads; i++)
        part(&workers[i]);
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

#define SLOT_BYTES ((uint64_t)(sizeof(uint64_t) + sizeof(sgm_values)))

/* Bytes that all levels will hold with their values, if the one with so many cards gets so many slots. */
static uint64_t bytes_with(const sgm_equilibrium *e, int cards, uint64_t slots) {
    uint64_t bytes = 0;
    for (int other = 0; other < SGM_MAX_TRICKS; other++)
        bytes += (other == cards ? slots : e->levels[other].slots) * SLOT_BYTES;
    return bytes;
}

static void hold(sgm_equilibrium *e, uint64_t bytes) {
    atomic_store(&e->held, bytes);
    if (bytes > atomic_load(&e->peak))
        atomic_store(&e->peak, bytes);
}

static uint64_t slots_for(uint64_t positions, uint64_t spare) {
    return positions * 8 / 5 + 2 * spare + FEWEST_SLOTS;
}

/* The slots in which a level that is listed is kept: closer together where memory may become short, which leaves
 * more for the levels below, and makes look-ups a little slower. */
static uint64_t slots_to_keep(const sgm_equilibrium *e, int cards) {
    uint64_t count = e->levels[cards].count, slots = slots_for(count, 0);
    return bytes_with(e, cards, slots) <= e->memory / 2 ? slots : count * 4 / 3 + FEWEST_SLOTS;
}

/* The most slots that the level with so many cards can get. */
static uint64_t slots_that_fit(const sgm_equilibrium *e, int cards) {
    uint64_t others = bytes_with(e, cards, 0);
    uint64_t slots = others < e->memory ? (e->memory - others) / SLOT_BYTES : 0;
    return slots < MOST_SLOTS ? slots : MOST_SLOTS;
}

/* Slots beyond those for what is listed: what so many threads may add before they see that a level is full. */
static uint64_t spare_slots(int cards, int threads) {
    return (BATCH_CELLS + MOST_CELLS((uint64_t)cards)) * (uint64_t)threads * 2;
}

/* How many threads can list the level below one at a time in so many slots; 0 if not even one. */
static int threads_that_fit(int cards, int threads, uint64_t slots) {
    while (threads && slots_for(0, spare_slots(cards, threads)) > slots)
        threads--;
    return threads;
}

static sgm_status resize(sgm_equilibrium *e, int cards, uint64_t slots) {
    sgm_level *level = &e->levels[cards];
    if (slots > slots_that_fit(e, cards))
        return SGM_ERR_FULL;
    hold(e, bytes_with(e, cards, slots));
    if (!sgm_level_resize(level, (uint32_t)slots, &e->stop))
        return stopped(e) ? SGM_STOPPED : SGM_ERR_MEMORY;
    return SGM_OK;
}

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* Lists the positions with a card less than those with `cards`. Whether they fit does not depend on the threads: where
 * the slots they need to spare do not fit, fewer work at a time; and a table never gets less than it needs because
 * twice of that would not fit. */
static sgm_status list_below(sgm_equilibrium *e, worker *workers, int threads, int cards) {
    sgm_level *level = &e->levels[cards], *below = &e->levels[cards - 1];
    uint64_t most = slots_that_fit(e, cards - 1);
    int at_once = threads_that_fit(cards, threads, most);
    uint64_t spare = spare_slots(cards, at_once);
    uint64_t slots = least(slots_for(FIRST_GUESS * level->count, spare), most);
    if (!at_once)
        return SGM_ERR_FULL;
    sgm_status status = resize(e, cards - 1, slots);
    if (status != SGM_OK)
        return status;
    start_level(workers, threads, cards);
    atomic_store(&e->keys, 0);
    for (;;) {
        atomic_store(&e->full, 0);
        run(workers, threads, at_once, level, list_part);
        below->count = atomic_load(&e->keys);
        if (stopped(e))
            return SGM_STOPPED;
        if (!atomic_load(&e->full))
            break;
        if (below->slots == most)
            return SGM_ERR_FULL;
        status = resize(e, cards - 1, least(slots_for(2 * below->count, spare), most));
        if (status != SGM_OK)
            return status;
    }
    return resize(e, cards - 1, slots_to_keep(e, cards - 1));
}

/* Lists what the trick at the root leads to. */
static sgm_status list_first(sgm_equilibrium *e, worker *w, const sgm_start *root) {
    sgm_level *first = &e->levels[e->tricks - 1];
    int cells = list_cells(e, root, NULL, w->cells);
    sgm_status status = resize(e, e->tricks - 1, slots_for((uint64_t)cells, 0));
    if (status != SGM_OK)
        return status;
    for (int i = 0; i < cells; i++) {
        uint64_t live = w->cells[i].live;
        int found = sgm_level_insert(first, key_of(live, 1 << w->cells[i].winner), sgm_home(first, live));
        first->count += found == 2;
        atomic_fetch_add(&e->listed[e->tricks - 1], found != 0);
    }
    return SGM_OK;
}

static sgm_status list_all(sgm_equilibrium *e, worker *workers, int threads, const sgm_start *root) {
    if (e->tricks < 3)
        return SGM_OK;
    sgm_status status = list_first(e, workers, root);
    for (int cards = e->tricks - 1; status == SGM_OK && cards > 2; cards--)
        status = list_below(e, workers, threads, cards);
    return status;
}

static sgm_status value_all(sgm_equilibrium *e, worker *workers, int threads) {
    for (int cards = 2; cards < e->tricks; cards++) {
        if (!sgm_level_add_values(&e->levels[cards]))
            return SGM_ERR_MEMORY;
        start_level(workers, threads, cards);
        run(workers, threads, threads, &e->levels[cards], value_part);
        if (stopped(e))
            return SGM_STOPPED;
    }
    return SGM_OK;
}

/* The public calls. */

/* Sets up the trick that a position is in. */
static void start_at(const sgm_equilibrium *e, const sgm_position *position, sgm_start *start) {
    uint64_t owned[3], played[3] = {0, 0, 0};
    sgm_trick_start(position, owned);
    uint64_t live = sgm_normalised(owned[0] | owned[1] | owned[2], e->root_cards, e->trump);
    for (int i = 0; i < position->trick_count; i++) {
        uint64_t card = UINT64_C(1) << position->trick[i];
        played[(position->leader + i) % 3] = sgm_normalised(card, e->root_cards, e->trump);
    }
    sgm_start_init(start, &e->owners, live, 1 << position->leader, played);
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
    sgm_equilibrium_clear(e);
    if (stopped(e))
        return SGM_STOPPED;
    worker *workers = calloc((size_t)threads, sizeof *workers);
    if (!workers)
        return SGM_ERR_MEMORY;
    for (int i = 0; i < threads; i++)
        workers[i].equilibrium = e;
    e->ties = ties;
    e->seat = seat;
    set_root(e, root);
    e->tricks = sgm_tricks_left(root);
    sgm_start start;
    start_at(e, root, &start);
    status = list_all(e, workers, threads, &start);
    if (status == SGM_OK)
        status = value_all(e, workers, threads);
    free(workers);
    if (status != SGM_OK)
        release(e);
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
    worker *w = calloc(1, sizeof *w);
    if (!w)
        return SGM_ERR_MEMORY;
    w->equilibrium = e;
    sgm_start *start = &w->batch[0].start;
    start_at(e, position, start);
    const sgm_level *below = level_below(e, tricks);
    int cells = list_cells(e, start, below, w->cells);
    for (int i = 0; below && i < cells; i++) {
        uint32_t slot = w->cells[i].slot = sgm_level_find(below, w->cells[i].live, w->cells[i].slot);
        if (slot == below->slots || !(leaders_of(sgm_key_at(below, slot)) >> w->cells[i].winner & 1))
            status = SGM_ERR_UNKNOWN;
    }
    if (status == SGM_OK) {
        sgm_values known = {{{0}}};
        value_start(w, start, w->cells, tricks, known);
        const double *seats = known[(int)position->leader].seats;
        values[0] = seats[0];
        values[1] = seats[1];
        values[2] = tricks - seats[0] - seats[1];
    }
    free(w);
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
    progress->lookups = atomic_load(&equilibrium->lookups);
    progress->memory = atomic_load(&equilibrium->held);
    progress->peak = atomic_load(&equilibrium->peak);
    return SGM_OK;
}
