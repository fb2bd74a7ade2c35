/* core.c - contexts, validation and the public calls: the border between the caller's positions and the
 * normalised ones of search.h. */
#include <stdlib.h>
#include <string.h>

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

static int count_cards(uint64_t cards) {
    int count = 0;
    for (; cards; cards &= cards - 1)
        count++;
    return count;
}

static sgm_status check_trick(const sgm_position *position) {
    if (position->trick_count < 0 || position->trick_count > 2)
        return SGM_ERR_TRICK;
    uint64_t held = position->hands[0] | position->hands[1] | position->hands[2];
    uint64_t played = 0;
    for (int i = 0; i < position->trick_count; i++) {
        int number = position->trick[i];
        if (number >= 64 || !(ALL_LANES >> number & 1))
            return SGM_ERR_CARD;
        uint64_t card = UINT64_C(1) << number;
        if (card & (held | played))
            return SGM_ERR_DUPLICATE;
        played |= card;
    }
    if (position->trick_count == 2) {
        uint64_t led = lane_of_suit(position->trick[0] >> 4);
        uint64_t second = position->hands[(position->leader + 1) % 3];
        if (position->trick[0] >> 4 != position->trick[1] >> 4 && (second & led))
            return SGM_ERR_TRICK;
    }
    return SGM_OK;
}

static sgm_status check_sizes(const sgm_position *position) {
    int leader_cards = count_cards(position->hands[(int)position->leader]);
    int tricks = leader_cards + (position->trick_count > 0);
    if (tricks > SGM_MAX_TRICKS)
        return SGM_ERR_SIZE;
    for (int place = 0; place < 3; place++) {
        int seat = (position->leader + place) % 3;
        if (count_cards(position->hands[seat]) != tricks - (place < position->trick_count))
            return SGM_ERR_SIZE;
    }
    return SGM_OK;
}

sgm_status sgm_check(const sgm_position *position) {
    if (!position)
        return SGM_ERR_NULL;
    if (position->leader < 0 || position->leader > 2)
        return SGM_ERR_SEAT;
    if (position->trump < 0 || position->trump > SGM_NO_TRUMP)
        return SGM_ERR_TRUMP;
    const uint64_t *hands = position->hands;
    if ((hands[0] | hands[1] | hands[2]) & ~ALL_LANES)
        return SGM_ERR_CARD;
    if ((hands[0] & hands[1]) | (hands[0] & hands[2]) | (hands[1] & hands[2]))
        return SGM_ERR_DUPLICATE;
    sgm_status status = check_trick(position);
    return status == SGM_OK ? check_sizes(position) : status;
}

/* The suit that stands in lane `lane` of the search: the trump suit in lane 3, the others in order. */
static int suit_in_lane(int trump, int lane) {
    if (trump == SGM_NO_TRUMP)
        return lane;
    if (lane == 3)
        return trump;
    return lane < trump ? lane : lane + 1;
}

/* Moves the ranks of `cards` to the places that the ranks of `all` have when packed. */
static uint64_t packed(uint64_t cards, uint64_t all) {
    uint64_t result = 0;
    for (int place = 0; all; all &= all - 1, place++) {
        if (cards & lowest(all))
            result |= UINT64_C(1) << place;
    }
    return result;
}

static uint64_t normalised(uint64_t cards, uint64_t all, int trump) {
    uint64_t result = 0;
    for (int lane = 0; lane < 4; lane++) {
        int shift = 16 * suit_in_lane(trump, lane);
        result |= packed(cards >> shift & LANE, all >> shift & LANE) << (16 * lane);
    }
    return result;
}

/* Sets the search up for a position seen from `solo`, which becomes seat 0. */
static sgm_node normalise(sgm_search *search, const sgm_position *position, int solo) {
    int trump = position->trump;
    uint64_t owned[3] = {position->hands[0], position->hands[1], position->hands[2]};
    uint64_t played = 0;
    for (int i = 0; i < position->trick_count; i++) {
        uint64_t card = UINT64_C(1) << position->trick[i];
        owned[(position->leader + i) % 3] |= card;
        played |= card;
    }
    uint64_t all = owned[0] | owned[1] | owned[2];
    for (int seat = 0; seat < 3; seat++)
        search->hands[seat] = normalised(owned[(seat + solo) % 3], all, trump);
    search->trump = trump == SGM_NO_TRUMP ? 0 : lane_of_suit(3);
    search->key_base = (uint64_t)(trump == SGM_NO_TRUMP) << 50;
    sgm_relative_fill(&search->relative, search->hands);
    sgm_node node = {0, (position->leader + 3 - solo) % 3, 0, position->trick_count, {0, 0}};
    node.live = normalised(all & ~played, all, trump);
    node.tricks = count_cards(position->hands[(int)position->leader]) + (position->trick_count > 0);
    for (int i = 0; i < position->trick_count; i++)
        node.trick[i] = normalised(UINT64_C(1) << position->trick[i], all, trump);
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
    };
    if ((unsigned)status >= sizeof texts / sizeof *texts)
        return "unknown status";
    return texts[status];
}
