/* core.c - contexts, validation and the public calls: the border between the caller's positions and the
 * normalised ones of search.h. */
#include <stdlib.h>
#include <string.h>

#include "position.h"
#include "search.h"
#include "sgm.h"

struct sgm_context {
    atomic_int stop;
    sgm_search search;
};

_Static_assert(sizeof(sgm_context) + (1 << 16) < SGM_MIN_MEMORY, "the least memory has room for a table");

sgm_status sgm_new(uint64_t memory, sgm_context **out) {
    if (!out)
        return SGM_ERR_NULL;
    *out = NULL;
    if (memory < SGM_MIN_MEMORY)
        return SGM_ERR_BUDGET;
    sgm_context *context = calloc(1, sizeof *context);
    if (!context)
        return SGM_ERR_MEMORY;
    sgm_status status = sgm_table_init(&context->search.table, memory - sizeof *context);
    if (status != SGM_OK) {
        free(context);
        return status;
    }
    atomic_init(&context->stop, 0);
    context->search.stop = &context->stop;
    sgm_relative_init(&context->search.relative);
    *out = context;
    return SGM_OK;
}

void sgm_free(sgm_context *context) {
    if (!context)
        return;
    sgm_table_free(&context->search.table);
    free(context);
}

void sgm_clear(sgm_context *context) {
    if (context)
        sgm_table_clear(&context->search.table);
}

void sgm_stop(sgm_context *context) {
    if (context)
        atomic_store(&context->stop, 1);
}

void sgm_resume(sgm_context *context) {
    if (context)
        atomic_store(&context->stop, 0);
}

/* Sets the search up for a position seen from `solo`, which becomes seat 0. */
static sgm_node normalise(sgm_search *search, const sgm_position *position, int solo) {
    int trump = position->trump;
    uint64_t owned[3];
    uint64_t played = sgm_trick_start(position, owned);
    uint64_t all = owned[0] | owned[1] | owned[2];
    for (int seat = 0; seat < 3; seat++)
        search->hands[seat] = sgm_normalised(owned[(seat + solo) % 3], all, trump);
    search->trump = trump == SGM_NO_TRUMP ? 0 : lane_of_suit(3);
    search->key_base = (uint64_t)(trump == SGM_NO_TRUMP) << 50;
    sgm_relative_fill(&search->relative, search->hands);
    sgm_node node = {0, (position->leader + 3 - solo) % 3, 0, position->trick_count, {0, 0}};
    node.live = sgm_normalised(all & ~played, all, trump);
    node.tricks = sgm_tricks_left(position);
    for (int i = 0; i < position->trick_count; i++)
        node.trick[i] = sgm_normalised(UINT64_C(1) << position->trick[i], all, trump);
    return node;
}

/* The question to ask first is near what a third of the seats can expect; after that the window is halved. */
static int next_question(const sgm_node *node, const sgm_bounds *proven) {
    if (proven->lower == 0 && proven->upper == node->tricks)
        return (node->tricks + 2) / 3;
    return (proven->lower + proven->upper + 1) / 2;
}

/* Asks until the value is known, or "at least `at_least`?" is decided, or the search is stopped. */
static void narrow(sgm_search *search, const sgm_node *node, int at_least, sgm_bounds *proven) {
    while (proven->lower < proven->upper && !search->stopped) {
        if (at_least > 0 && (proven->lower >= at_least || proven->upper < at_least))
            return;
        int need = at_least > 0 ? at_least : next_question(node, proven);
        int reached = sgm_search_at_least(search, node, need);
        if (search->stopped)
            return;
        if (reached)
            proven->lower = need;
        else
            proven->upper = need - 1;
    }
}

sgm_status sgm_guaranteed(sgm_context *context, const sgm_position *position, int seat, int at_least,
                          uint64_t node_limit, sgm_bounds *bounds) {
    if (!context || !bounds)
        return SGM_ERR_NULL;
    if (seat < 0 || seat > 2)
        return SGM_ERR_SEAT;
    sgm_status status = sgm_check(position);
    if (status != SGM_OK)
        return status;
    sgm_search *search = &context->search;
    sgm_node node = normalise(search, position, seat);
    sgm_bounds proven = {bounds->lower < 0 ? 0 : bounds->lower,
                         bounds->upper > node.tricks ? node.tricks : bounds->upper};
    if (proven.lower > proven.upper)
        return SGM_ERR_WINDOW;
    uint64_t plays = search->table.stats.plays;
    search->stopped = atomic_load(&context->stop);
    search->node_limit = node_limit && node_limit < UINT64_MAX - plays ? plays + node_limit : UINT64_MAX;
    narrow(search, &node, at_least, &proven);
    *bounds = proven;
    return search->stopped ? SGM_STOPPED : SGM_OK;
}

sgm_status sgm_get_stats(const sgm_context *context, sgm_stats *stats) {
    if (!context || !stats)
        return SGM_ERR_NULL;
    *stats = context->search.table.stats;
    stats->memory += sizeof *context;
    return SGM_OK;
}

const char *sgm_status_text(sgm_status status) {
    static const char *const texts[] = {
        [SGM_OK] = "done",
        [SGM_STOPPED] = "stopped before the value was proven",
        [SGM_ERR_NULL] = "a required pointer is missing",
        [SGM_ERR_MEMORY] = "the system refused the memory",
        [SGM_ERR_BUDGET] = "the memory budget is below 1 MiB",
        [SGM_ERR_SEAT] = "no such seat",
        [SGM_ERR_TRUMP] = "no such trump",
        [SGM_ERR_CARD] = "no such card",
        [SGM_ERR_DUPLICATE] = "a card is in two places",
        [SGM_ERR_SIZE] = "hand sizes that the trick in progress does not explain, or more than 17 cards",
        [SGM_ERR_TRICK] = "an impossible trick in progress",
        [SGM_ERR_WINDOW] = "no possible value lies between the bounds",
        [SGM_ERR_FULL] = "the positions do not fit into the memory",
        [SGM_ERR_UNKNOWN] = "the position is none of the play that was enumerated",
        [SGM_ERR_THREADS] = "no such number of threads",
        [SGM_ERR_TIES] = "no such rule for ties",
    };
    if ((unsigned)status >= sizeof texts / sizeof *texts)
        return "unknown status";
    return texts[status];
}
