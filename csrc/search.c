/* search.c - see search.h. One function a place in the trick: lead, second hand, third hand. */
#include "search.h"

#include "bounds.h"
#include "moves.h"

typedef enum { NO = 0, YES = 1, OPEN = -1 } answer;

/* A question at a trick start, with what its look-up computed. */
typedef struct {
    uint64_t live;
    int leader;
    int tricks;
    int need;
    uint64_t key;
    sgm_lanes holders;
} question;

static answer decide_lead(sgm_search *search, question *q, uint64_t *relevant);

static uint64_t hand_of(const sgm_search *search, uint64_t live, int seat) {
    return search->hands[seat] & live;
}

/* A seat on the side that wants the answer YES has found what it looks for with YES. */
static answer wanted_by(int seat) {
    return seat == 0 ? YES : NO;
}

/* When every move of a seat failed, cards equal to those searched were skipped on the strength of being
 * equal: if a run is cut by the lowest relevant card of its suit, the whole run must count. */
static uint64_t with_whole_runs(uint64_t relevant, uint64_t hand, uint64_t others) {
    uint64_t added = 0;
    for (uint64_t left = relevant; left;) {
        uint64_t low = lowest(left);
        uint64_t lane = lane_of_card(low);
        left &= ~lane;
        if (low & others)
            continue;
        uint64_t below = others & lane & (low - 1);
        uint64_t floor = below ? above(highest(below)) : ~UINT64_C(0);
        added |= hand & lane & (low - 1) & floor;
    }
    return relevant | added;
}

/* The cards that `card` has failed for too: if its own rank did not matter, neither does that of any other
 * card of its suit below all that did. relevant: what the proof of the failure looked at. */
static uint64_t alike(uint64_t card, uint64_t relevant) {
    uint64_t lane = lane_of_card(card);
    uint64_t looked_at = relevant & lane;
    uint64_t below = looked_at ? lane & (lowest(looked_at) - 1) : lane;
    return card & below ? below : 0;
}

static uint64_t position_key(const sgm_search *search, question *q, uint64_t entries[4]) {
    uint64_t shape = 0;
    for (int suit = 0; suit < 4; suit++) {
        entries[suit] = relative_suit(&search->relative, q->live, suit);
        shape |= ((entries[suit] >> 32) & 0xFFF) << (12 * suit);
        q->holders[suit] = (uint32_t)entries[suit] & SUIT_HOLDERS;
    }
    return shape | search->key_base | (uint64_t)q->leader << 48;
}

/* The one trick that is left: every card is forced. */
static answer last_trick(const sgm_search *search, const question *q, uint64_t *relevant) {
    uint64_t best = hand_of(search, q->live, q->leader);
    uint64_t ranked = search->trump | lane_of_card(best);
    uint64_t second = hand_of(search, q->live, next_seat(q->leader)) & ranked;
    uint64_t third = hand_of(search, q->live, next_seat(next_seat(q->leader))) & ranked;
    if (second > best)
        best = second;
    if (third > best)
        best = third;
    uint64_t lane = lane_of_card(best);
    *relevant = q->live & lane & ~best ? best : 0;
    return best & search->hands[0] ? YES : NO;
}

/* Turns a pattern that answered into the relevant cards of this position: the lowest fixed one of each suit. */
static uint64_t relevant_of_pattern(const sgm_search *search, uint64_t live, sgm_lanes pattern) {
    uint64_t relevant = 0;
    for (int suit = 0; suit < 4; suit++) {
        uint32_t pairs = pattern[suit] & SUIT_HOLDERS;
        uint32_t open = (pairs & (pairs >> 1) & 0x01555555u) | 1u << 26;
        int depth = __builtin_ctz(open) / HOLDER_BITS;
        if (depth)
            relevant |= card_at_depth(&search->relative, live, suit, depth);
    }
    return relevant;
}

static sgm_lanes pattern_of_relevant(const sgm_search *search, const question *q, uint64_t relevant) {
    sgm_lanes pattern = q->holders;
    for (int suit = 0; suit < 4; suit++) {
        uint64_t lane = (relevant >> (16 * suit)) & LANE;
        uint64_t live = (q->live >> (16 * suit)) & LANE;
        int depth = lane ? rank_count(&search->relative, live & ~(lowest(lane) - 1)) : 0;
        pattern[suit] |= SUIT_HOLDERS & ~((UINT32_C(1) << (HOLDER_BITS * depth)) - 1);
    }
    return pattern;
}

/* Answers a question without playing a card, if that can be done. Leaves in q what store() needs. */
static answer probe(sgm_search *search, question *q, uint64_t *relevant) {
    *relevant = 0;
    if (q->need <= 0)
        return YES;
    if (q->need > q->tricks)
        return NO;
    if (q->tricks == 1)
        return last_trick(search, q, relevant);
    sgm_view view = {&search->relative, q->live, {0}, q->leader, q->tricks, search->trump != 0};
    q->key = position_key(search, q, view.suits);
    int decided = sgm_bounds_decide(&view, q->need, relevant);
    if (decided >= 0)
        return decided ? YES : NO;
    sgm_found found = sgm_table_find(&search->table, q->key, q->holders, q->need);
    if (!found.decided)
        return OPEN;
    *relevant = relevant_of_pattern(search, q->live, found.holders);
    return found.lower >= q->need ? YES : NO;
}

static void store(sgm_search *search, const question *q, answer result, uint64_t relevant) {
    sgm_lanes pattern = pattern_of_relevant(search, q, relevant);
    int lower = result == YES ? q->need : 0;
    int upper = result == YES ? q->tricks : q->need - 1;
    sgm_table_store(&search->table, q->key, pattern, lower, upper);
}

/* Counts a card and sets `stopped` if the search is to go no further. */
static void count_play(sgm_search *search) {
    uint64_t plays = ++search->table.stats.plays;
    if ((plays & 1023) == 0 && atomic_load_explicit(search->stop, memory_order_relaxed))
        search->stopped = 1;
    if (plays >= search->node_limit)
        search->stopped = 1;
}

static answer decide_node(sgm_search *search, const sgm_node *node, int need, uint64_t *relevant);

static answer play_card(sgm_search *search, const sgm_node *node, int need, uint64_t card,
                        uint64_t *relevant) {
    sgm_node next = *node;
    next.live &= ~card;
    next.trick[next.count++] = card;
    count_play(search);
    return search->stopped ? NO : decide_node(search, &next, need, relevant);
}

/* Sets up the question after third hand's card; returns the card whose rank decided the trick, 0 if none did. */
static uint64_t after_trick(const sgm_moves *moves, const sgm_node *node, int need, uint64_t card,
                            question *q) {
    uint64_t best = moves->best;
    int winner = moves->best_seat;
    if ((card & moves->ranked) > best) {
        best = card;
        winner = moves->seat;
    }
    q->live = node->live & ~card;
    q->leader = winner;
    q->tricks = node->tricks - 1;
    q->need = need - (winner == 0);
    uint64_t played = node->trick[0] | node->trick[1] | card;
    return played & ~best & lane_of_card(best) ? best : 0;
}

/* Third hand: first asks of every card what is known, then plays the cards for which nothing is. */
static answer decide_third(sgm_search *search, const sgm_node *node, int need, const sgm_moves *moves,
                           answer wanted, uint64_t *relevant) {
    question open[SGM_MAX_MOVES];
    uint64_t decided_by[SGM_MAX_MOVES];
    uint64_t cards[SGM_MAX_MOVES];
    int count = 0;
    uint64_t all = 0;
    uint64_t failed = 0; /* cards known to fail */
    for (int i = 0; i < moves->count; i++) {
        uint64_t seen;
        if (moves->cards[i] & failed)
            continue;
        cards[count] = moves->cards[i];
        decided_by[count] = after_trick(moves, node, need, moves->cards[i], &open[count]);
        answer result = probe(search, &open[count], &seen);
        if (result == wanted) {
            *relevant = seen | decided_by[count];
            count_play(search);
            return wanted;
        }
        if (result == OPEN) {
            count++;
            continue;
        }
        seen |= decided_by[count];
        failed |= alike(moves->cards[i], seen);
        all |= seen;
    }
    for (int i = 0; i < count; i++) {
        uint64_t seen;
        if (cards[i] & failed)
            continue;
        count_play(search);
        answer result = search->stopped ? NO : decide_lead(search, &open[i], &seen);
        if (search->stopped)
            return NO;
        if (result == wanted) {
            *relevant = seen | decided_by[i];
            return wanted;
        }
        seen |= decided_by[i];
        failed |= alike(cards[i], seen);
        all |= seen;
    }
    *relevant = all;
    return wanted == YES ? NO : YES;
}

static answer decide_first_or_second(sgm_search *search, const sgm_node *node, int need,
                                     const sgm_moves *moves, answer wanted, uint64_t *relevant) {
    uint64_t all = 0;
    uint64_t failed = 0; /* cards known to fail */
    for (int i = 0; i < moves->count; i++) {
        uint64_t seen;
        if (moves->cards[i] & failed)
            continue;
        answer result = play_card(search, node, need, moves->cards[i], &seen);
        if (search->stopped)
            return NO;
        if (result == wanted) {
            *relevant = seen;
            return wanted;
        }
        failed |= alike(moves->cards[i], seen);
        all |= seen;
    }
    *relevant = all;
    return wanted == YES ? NO : YES;
}

static answer decide_node(sgm_search *search, const sgm_node *node, int need, uint64_t *relevant) {
    sgm_moves moves;
    sgm_moves_generate(search, node, &moves);
    answer wanted = wanted_by(moves.seat);
    answer result = node->count == 2 ? decide_third(search, node, need, &moves, wanted, relevant)
                                     : decide_first_or_second(search, node, need, &moves, wanted, relevant);
    if (result != wanted && !search->stopped)
        *relevant = with_whole_runs(*relevant, moves.hand, moves.others);
    return result;
}

/* Plays out a trick start that probe() left open, and stores what comes out. */
static answer decide_lead(sgm_search *search, question *q, uint64_t *relevant) {
    sgm_node node = {q->live, q->leader, q->tricks, 0, {0, 0}};
    answer result = decide_node(search, &node, q->need, relevant);
    if (!search->stopped)
        store(search, q, result, *relevant);
    return result;
}

int sgm_search_at_least(sgm_search *search, const sgm_node *node, int need) {
    uint64_t relevant;
    if (node->count)
        return decide_node(search, node, need, &relevant) == YES;
    question q = {node->live, node->leader, node->tricks, need, 0, {0}};
    answer result = probe(search, &q, &relevant);
    if (result == OPEN)
        result = decide_lead(search, &q, &relevant);
    return result == YES;
}
