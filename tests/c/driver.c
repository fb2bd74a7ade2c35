/* driver.c - runs the C core without Python, for the sanitizers.
 *
 *   driver answers KIB < lines    checks the answer of every line on one context that stays warm
 *   driver threads KIB < lines    the same on two contexts in two threads; a third is stopped and resumed
 *   driver equilibria KIB < lines values the smaller positions, and twelve cards, with one thread and with three;
 *                                 stops others
 *   driver allocations            lets each allocation of a new context and of an enumeration fail in turn
 *
 * A line (see positions.py): three hands in hexadecimal, trump, leader, cards in the trick, the two trick
 * cards, seat, at_least, node limit, and what is expected: "=N" a value, "!N" a status, "?" anything sound.
 *
 * The core is compiled with malloc, calloc and aligned_alloc renamed to the three functions below.
 */
#define _POSIX_C_SOURCE 200809L /* for nanosleep */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sgm.h"

#define MAX_LINES 20000

typedef struct {
    sgm_position position;
    int seat;
    int at_least;
    uint64_t node_limit;
    char kind; /* '=', '!' or '?' */
    int expected;
} question;

static question questions[MAX_LINES];
static int question_count;

static long allocations_left = -1; /* how many succeed before one fails; negative: all do */

static int refused(void) {
    return allocations_left >= 0 && allocations_left-- == 0;
}

void *driver_malloc(size_t size);
void *driver_calloc(size_t count, size_t size);
void *driver_aligned_alloc(size_t alignment, size_t size);

void *driver_malloc(size_t size) {
    return refused() ? NULL : malloc(size);
}

void *driver_calloc(size_t count, size_t size) {
    return refused() ? NULL : calloc(count, size);
}

void *driver_aligned_alloc(size_t alignment, size_t size) {
    return refused() ? NULL : aligned_alloc(alignment, size);
}

static int fail(int line, const char *what) {
    fprintf(stderr, "driver: line %d: %s\n", line + 1, what);
    return 1;
}

static int read_questions(void) {
    question *q = questions;
    int trump, leader, count, first, second, read;
    for (; question_count < MAX_LINES; question_count++, q++) {
        uint64_t *hands = q->position.hands;
        read = scanf("%" SCNx64 "%" SCNx64 "%" SCNx64 "%d%d%d%d%d%d%d%" SCNu64 " %c", &hands[0], &hands[1],
                     &hands[2], &trump, &leader, &count, &first, &second, &q->seat, &q->at_least,
                     &q->node_limit, &q->kind);
        if (read == EOF)
            return question_count ? 0 : fail(0, "no questions");
        if (read != 12 || (q->kind != '?' && scanf("%d", &q->expected) != 1))
            return fail(question_count, "unreadable");
        q->position.trump = (int8_t)trump;
        q->position.leader = (int8_t)leader;
        q->position.trick_count = (int8_t)count;
        q->position.trick[0] = (uint8_t)first;
        q->position.trick[1] = (uint8_t)second;
    }
    return fail(MAX_LINES, "too many questions");
}

static int check_refusal(const question *q, int line, sgm_status status, const sgm_bounds *bounds) {
    if (status != SGM_ERR_SEAT && status != sgm_check(&q->position))
        return fail(line, "sgm_check disagrees with sgm_guaranteed");
    if (bounds->lower != 0 || bounds->upper != SGM_MAX_TRICKS)
        return fail(line, "bounds changed by a refused question");
    if (q->kind == '=' || (q->kind == '!' && (int)status != q->expected))
        return fail(line, sgm_status_text(status));
    return 0;
}

static int check(sgm_context *context, const question *q, int line) {
    sgm_bounds bounds = {0, SGM_MAX_TRICKS};
    sgm_status status = sgm_guaranteed(context, &q->position, q->seat, q->at_least, q->node_limit, &bounds);
    if (status != SGM_OK && status != SGM_STOPPED)
        return check_refusal(q, line, status, &bounds);
    if (q->kind == '!' && (int)status != q->expected)
        return fail(line, "accepted, or stopped when it should not be");
    if (bounds.lower < 0 || bounds.lower > bounds.upper || bounds.upper > SGM_MAX_TRICKS)
        return fail(line, "bounds out of order");
    if (status == SGM_OK && bounds.lower != bounds.upper && bounds.lower < q->at_least &&
        bounds.upper >= q->at_least)
        return fail(line, "an undecided answer");
    if (status == SGM_STOPPED && !q->node_limit)
        return fail(line, "stopped by nobody");
    if (q->kind == '=' && (q->expected < bounds.lower || q->expected > bounds.upper))
        return fail(line, "a wrong answer");
    return 0;
}

/* Asks all questions twice, the second time of a table that has seen them. */
static int check_all(uint64_t memory) {
    sgm_context *context;
    sgm_stats stats;
    int failures = 0;
    if (sgm_new(memory, &context) != SGM_OK)
        return fail(0, "no context");
    for (int round = 0; round < 2; round++) {
        for (int line = 0; line < question_count; line++)
            failures += check(context, &questions[line], line);
    }
    sgm_get_stats(context, &stats);
    sgm_clear(context);
    failures += check(context, &questions[0], 0);
    sgm_free(context);
    if (!failures)
        printf("%d questions, %" PRIu64 " cards played, %" PRIu64 " evictions\n", question_count, stats.plays,
               stats.evictions);
    return failures;
}

static void *check_all_in_thread(void *memory) {
    return check_all(*(uint64_t *)memory) ? memory : NULL;
}

/* Runs all questions until each was stopped, or answered in spite of it. */
static void *run_to_be_stopped(void *context) {
    for (int line = 0; line < question_count; line++) {
        sgm_bounds bounds = {0, SGM_MAX_TRICKS};
        const question *q = &questions[line];
        sgm_guaranteed(context, &q->position, q->seat, q->at_least, q->node_limit, &bounds);
    }
    return NULL;
}

static int check_threads(uint64_t memory) {
    pthread_t threads[3];
    void *failed[2];
    sgm_context *context;
    if (sgm_new(memory, &context) != SGM_OK)
        return fail(0, "no context");
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, check_all_in_thread, &memory);
    pthread_create(&threads[2], NULL, run_to_be_stopped, context);
    for (int i = 0; i < 100000; i++) {
        sgm_stop(context);
        sgm_resume(context);
    }
    sgm_stop(context);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], &failed[i]);
    pthread_join(threads[2], NULL);
    sgm_free(context);
    return failed[0] || failed[1];
}

/* Values a position and each that a card leads to; returns whether something is wrong. */
static int check_equilibrium(sgm_equilibrium *equilibrium, const sgm_position *root, int threads, int line,
                             double values[3]) {
    sgm_ties ties = line % 3 == 0 ? SGM_TIES_AGAINST : line % 3 == 1 ? SGM_TIES_NEUTRAL : SGM_TIES_FOR;
    sgm_status status = sgm_equilibrium_solve(equilibrium, root, threads, ties, line % 3);
    if (status != sgm_check(root))
        return status != SGM_ERR_FULL && fail(line, "sgm_check disagrees with sgm_equilibrium_solve");
    if (status != SGM_OK)
        return sgm_equilibrium_values(equilibrium, root, values) == SGM_OK &&
               fail(line, "a refused root has values");
    if (sgm_equilibrium_values(equilibrium, root, values) != SGM_OK)
        return fail(line, "the root has no values");
    int tricks = __builtin_popcountll(root->hands[(int)root->leader]) + (root->trick_count > 0);
    double sum = values[0] + values[1] + values[2] - tricks;
    return (sum > 1e-9 || sum < -1e-9) && fail(line, "values that do not add up to the tricks");
}

static int check_equilibria(uint64_t memory) {
    sgm_equilibrium *equilibrium;
    int failures = 0, valued = 0;
    if (sgm_equilibrium_new(memory, &equilibrium) != SGM_OK)
        return fail(0, "no enumeration");
    for (int line = 0; line < question_count; line++) {
        const sgm_position *root = &questions[line].position;
        double one[3] = {0, 0, 0}, three[3] = {0, 0, 0};
        int cards = __builtin_popcountll(root->hands[0]);
        if (cards > 9 || (cards > 6 && line % 8))
            continue;
        failures += check_equilibrium(equilibrium, root, 1, line, one);
        failures += check_equilibrium(equilibrium, root, 3, line, three);
        if (memcmp(one, three, sizeof one) != 0)
            failures += fail(line, "threads change the values");
        valued++;
    }
    sgm_equilibrium_clear(equilibrium);
    sgm_equilibrium_free(equilibrium);
    if (!failures)
        printf("%d equilibria\n", valued);
    return failures;
}

static void *enumerate_to_be_stopped(void *equilibrium) {
    for (int line = 0; line < question_count; line++)
        sgm_equilibrium_solve(equilibrium, &questions[line].position, 3, SGM_TIES_NEUTRAL, 0);
    return NULL;
}

/* Stops enumerations of whole deals, and asks how far they are. */
static int check_stopping(uint64_t memory) {
    pthread_t thread;
    sgm_equilibrium *equilibrium;
    sgm_progress progress;
    if (sgm_equilibrium_new(memory, &equilibrium) != SGM_OK)
        return fail(0, "no enumeration");
    pthread_create(&thread, NULL, enumerate_to_be_stopped, equilibrium);
    for (int i = 0; i < 20000; i++) {
        sgm_equilibrium_stop(equilibrium);
        sgm_equilibrium_progress(equilibrium, &progress);
        sgm_equilibrium_resume(equilibrium);
    }
    sgm_equilibrium_stop(equilibrium);
    pthread_join(thread, NULL);
    sgm_equilibrium_free(equilibrium);
    return 0;
}

/* Twelve cards each: enough for levels that grow while several threads list them. */
static sgm_position twelve_cards(void) {
    sgm_position position = {{0}, 0, 0, 0, {0}};
    uint64_t state = 20;
    int held[3] = {0, 0, 0};
    for (int card = 0; card < 64; card++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        int seat = (int)((state >> 33) % 4);
        if (card % 16 < 13 && seat < 3 && held[seat] < 12) {
            position.hands[seat] |= UINT64_C(1) << card;
            held[seat]++;
        }
    }
    for (int card = 0; card < 64; card++) {
        uint64_t bit = UINT64_C(1) << card;
        for (int seat = 0; seat < 3 && card % 16 < 13; seat++) {
            if (held[seat] < 12 && !((position.hands[0] | position.hands[1] | position.hands[2]) & bit)) {
                position.hands[seat] |= bit;
                held[seat]++;
            }
        }
    }
    return position;
}

/* Threads that list and value the same growing tables come to the same as one. */
static int check_growth(uint64_t memory) {
    sgm_equilibrium *equilibrium;
    sgm_position root = twelve_cards();
    double one[3] = {0, 0, 0}, three[3] = {0, 0, 0};
    if (sgm_equilibrium_new(memory, &equilibrium) != SGM_OK)
        return fail(0, "no enumeration");
    int failures = check_equilibrium(equilibrium, &root, 1, 1, one);
    failures += check_equilibrium(equilibrium, &root, 3, 1, three);
    sgm_equilibrium_free(equilibrium);
    if (one[0] + one[1] + one[2] == 0 || memcmp(one, three, sizeof one) != 0)
        failures += fail(0, "threads change the values of twelve cards, or there are none");
    return failures;
}

static void *enumerate_twelve_cards(void *equilibrium) {
    sgm_position root = twelve_cards();
    return sgm_equilibrium_solve(equilibrium, &root, 3, SGM_TIES_NEUTRAL, 0) == SGM_STOPPED ? equilibrium
                                                                                            : NULL;
}

/* Stops threads that are at work together: while they list, and while they value. */
static int check_stopping_under_way(uint64_t memory) {
    const struct timespec moment = {0, 1000000};
    sgm_equilibrium *equilibrium;
    int ended_early = 0;
    if (sgm_equilibrium_new(memory, &equilibrium) != SGM_OK)
        return fail(0, "no enumeration");
    for (uint64_t round = 0; round < 8; round++) {
        pthread_t thread;
        void *was_stopped;
        sgm_progress progress = {0};
        sgm_equilibrium_clear(equilibrium);
        sgm_equilibrium_resume(equilibrium);
        pthread_create(&thread, NULL, enumerate_twelve_cards, equilibrium);
        for (int waited = 0; waited < 60000; waited++) {
            sgm_equilibrium_progress(equilibrium, &progress);
            if (round < 4 ? progress.listed > 10000 * round : progress.valued > 10000 * (round - 4))
                break;
            nanosleep(&moment, NULL);
        }
        sgm_equilibrium_stop(equilibrium);
        pthread_join(thread, &was_stopped);
        ended_early += was_stopped != NULL;
    }
    sgm_equilibrium_free(equilibrium);
    return ended_early == 0 && fail(0, "no enumeration was stopped under way");
}

/* A hand of eight cards each: clubs to seat 0, hearts to seat 1, spades to seat 2. */
static sgm_position eight_cards(void) {
    sgm_position position = {
        {UINT64_C(0xFF) << 48, UINT64_C(0x5A5) << 32 | 0xC, UINT64_C(0xFF) << 4}, 0, 0, 0, {0}};
    return position;
}

static int check_enumeration_allocations(void) {
    sgm_equilibrium *equilibrium = NULL;
    sgm_position root = eight_cards();
    double values[3];
    for (long allowed = 0; allowed < 200; allowed++) {
        allocations_left = allowed;
        sgm_status status = sgm_equilibrium_new(64 * SGM_MIN_MEMORY, &equilibrium);
        if (status == SGM_OK)
            status = sgm_equilibrium_solve(equilibrium, &root, 2, SGM_TIES_NEUTRAL, 0);
        if (status == SGM_OK)
            status = sgm_equilibrium_values(equilibrium, &root, values);
        allocations_left = -1;
        sgm_equilibrium_free(equilibrium);
        equilibrium = NULL;
        if (status == SGM_OK) {
            printf("%ld allocations of an enumeration\n", allowed);
            return allowed < 3 && fail(0, "too few allocations were counted");
        }
        if (status != SGM_ERR_MEMORY)
            return fail((int)allowed, sgm_status_text(status));
    }
    return fail(0, "allocations without end");
}

static int check_allocations(void) {
    sgm_context *context = NULL;
    for (long allowed = 0; allowed < 100; allowed++) {
        allocations_left = allowed;
        sgm_status status = sgm_new(SGM_MIN_MEMORY, &context);
        allocations_left = -1;
        if (status == SGM_OK) {
            sgm_free(context);
            printf("%ld allocations\n", allowed);
            return (allowed == 0 && fail(0, "no allocation was counted")) || check_enumeration_allocations();
        }
        if (status != SGM_ERR_MEMORY || context)
            return fail((int)allowed, "a failed allocation went unnoticed");
    }
    return fail(0, "allocations without end");
}

int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "";
    if (!strcmp(mode, "allocations"))
        return check_allocations();
    if (argc != 3 || read_questions())
        return 2;
    uint64_t memory = strtoull(argv[2], NULL, 10) << 10;
    if (!strcmp(mode, "equilibria"))
        return (check_equilibria(memory) || check_growth(memory) || check_stopping(memory) ||
                check_stopping_under_way(memory)) != 0;
    return (!strcmp(mode, "threads") ? check_threads(memory) : check_all(memory)) != 0;
}
