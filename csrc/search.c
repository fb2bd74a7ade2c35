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
    sgm_places places;
} question;

/* A trick that is complete, in terms of the position at its start. */
typedef struct {
    uint64_t start;  /* the cards that were live */
    uint64_t played; /* the three cards */
    uint64_t best;   /* the one that won */
    uint64_t beaten; /* the cards of its suit over which it won */
} trick;

static answer probe(sgm_search *search, question *q, uint64_t *relevant);
static answer decide_lead(sgm_search *search, question *q, uint64_t *relevant);

static uint64_t hand_of(const sgm_search *search, uint64_t live, int seat) {
    return search->hands[seat] & live;
}

/* A seat on the side that wants the answer YES has found what it looks for with YES. */
static answer wanted_by(int seat) {
    return seat == 0 ? YES : NO;
}

/* All cards at or below one card, in its lane and lower ones; the caller masks them. */
static uint64_t down_from(uint64_t card) {
    return card | (card - 1);
}

/* The hand of seat 1 or 2 that a card belongs to. */
static uint64_t pair_hand(const sgm_search *search, uint64_t card) {
    return search->hands[card & search->hands[1] ? 1 : 2];
}

/* The part of a suit around a card that has no card of the other side in it. */
static uint64_t side_run(const sgm_search *search, uint64_t live, uint64_t card) {
    uint64_t solo = search->hands[0];
    return run_of(card, ALL_LANES, live & (card & solo ? ~solo : solo));
}

/* The lowest live card of the run of its side that a card is in: where its block ends at the latest. */
static uint64_t end_of_run(const sgm_search *search, uint64_t live, uint64_t card) {
    return lowest(live & side_run(search, live, card));
}

/* When every move of a seat failed, cards equal to those searched were skipped on the strength of being
 * equal: where a mark cuts such a run in two, the lower part needs a mark of its own. */
static uint64_t with_whole_runs(uint64_t relevant, uint64_t hand, uint64_t others) {
    uint64_t added = 0;
    for (uint64_t left = relevant & ~others; left; left &= left - 1) {
        uint64_t mark = lowest(left);
        uint64_t cut = run_of(mark, hand, others) & down_from(mark);
        added |= cut ? lowest(cut) : 0;
    }
    return relevant | added;
}

/* The cards that `card` has failed for too: those of its block, and if its own rank did not matter, all cards
 * of its suit below what did. start: the cards live at the trick start. relevant: what the proof of the
 * failure looked at. */
static uint64_t alike(const sgm_search *search, uint64_t start, uint64_t card, uint64_t relevant) {
    uint64_t lane = lane_of_card(card);
    uint64_t marks = relevant & lane;
    if (!marks)
        return lane;
    if (card < lowest(marks))
        return lane & (lowest(marks) - 1);
    uint64_t block = side_run(search, start, card);
    uint64_t higher = marks & above(card);
    uint64_t lower = marks & down_from(card);
    if (higher)
        block &= lowest(higher) - 1;
    if (lower)
        block &= ~(highest(lower) - 1);
    return block;
}

/* Whether a move needs no search because it fails as others did: it, and all that it stands for. */
static int fails(const sgm_moves *moves, uint64_t card, uint64_t failed) {
    return (card & failed) && !(run_of(card, moves->hand, moves->others) & ~failed);
}

static uint64_t position_key(const sgm_search *search, question *q, uint64_t entries[4]) {
    uint64_t shape = 0;
    for (int suit = 0; suit < 4; suit++) {
        entries[suit] = relative_suit(&search->relative, q->live, suit);
        shape |= ((entries[suit] >> 32) & 0xFFF) << (12 * suit);
        q->places.suit[suit] = relative_places(&search->relative, q->live, suit);
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
    uint64_t beaten = q->live & lane_of_card(best) & ~best;
    *relevant = 0;
    if (best & search->hands[0])
        *relevant = beaten ? best : 0;
    else if (beaten & search->hands[0])
        *relevant = end_of_run(search, q->live, best);
    return best & search->hands[0] ? YES : NO;
}

/* Turns a pattern that answered into the marks of this position. */
static uint64_t relevant_of_pattern(const sgm_search *search, uint64_t live, const sgm_places *pattern) {
    uint64_t relevant = 0;
    for (int suit = 0; suit < 4; suit++) {
        for (uint64_t marks = sgm_marks(pattern->suit[suit]); marks; marks &= marks - 1) {
            int depth = __builtin_ctzll(marks) / COUNT_BITS + 1;
            relevant |= card_at_depth(&search->relative, live, suit, depth);
        }
    }
    return relevant;
}

/* The depths of some live cards of one suit, given as ranks: bit 0 for the highest card. */
static uint32_t depths_of(const sgm_search *search, uint64_t live, uint64_t ranks) {
    uint32_t depths = 0;
    for (; ranks; ranks &= ranks - 1)
        depths |= UINT32_C(1) << (rank_count(&search->relative, live & ~(lowest(ranks) - 1)) - 1);
    return depths;
}

/* Where the sides change above the lowest mark, a block ends too. The thirteenth card needs no mark: whose it
 * is follows from the lengths and the twelve above it. */
static uint64_t pattern_of_suit(uint64_t places, uint32_t depths) {
    if (depths >> COUNTED_CARDS)
        depths = (depths | UINT32_C(1) << (COUNTED_CARDS - 1)) & ((UINT32_C(1) << COUNTED_CARDS) - 1);
    if (!depths)
        return SGM_NO_MARKS;
    uint64_t known = (UINT64_C(2) << (31 - __builtin_clz(depths))) - 1;
    uint64_t sides = places >> SIDES_SHIFT & known;
    uint64_t counted = 0;
    for (uint64_t ends = depths | (sides & ~(sides >> 1) & known >> 1); ends; ends &= ends - 1)
        counted |= ((UINT64_C(1) << COUNT_BITS) - 1) << (COUNT_BITS * __builtin_ctzll(ends));
    return (places & counted) | (SUIT_COUNTS & ~counted) | sides << SIDES_SHIFT;
}

static sgm_places pattern_of_relevant(const sgm_search *search, const question *q, uint64_t relevant) {
    sgm_places pattern;
    for (int suit = 0; suit < 4; suit++) {
        uint64_t live = (q->live >> (16 * suit)) & LANE;
        uint32_t depths = depths_of(search, live, (relevant >> (16 * suit)) & LANE);
        pattern.suit[suit] = pattern_of_suit(q->places.suit[suit], depths);
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
    sgm_found found = sgm_table_find(&search->table, q->key, &q->places, q->need);
    if (!found.decided)
        return OPEN;
    *relevant = relevant_of_pattern(search, q->live, &found.pattern);
    return found.lower >= q->need ? YES : NO;
}

static void store(sgm_search *search, const question *q, answer result, uint64_t relevant) {
    sgm_places pattern = pattern_of_relevant(search, q, relevant);
    int lower = result == YES ? q->need : 0;
    int upper = result == YES ? q->tricks : q->need - 1;
    sgm_table_store(&search->table, q->key, &pattern, lower, upper);
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

/* Marks of the next trick start, moved below the trick's cards of seats 1 and 2: a card that was played from
 * right below a mark may as well count to the block that ends there, and blocks that end where the run of the
 * side ends are what other proofs look at too. Not if the owner has the next lower card as well: it was
 * skipped as equal, and would be on the other side of the mark. live: the cards live after the trick. */
static uint64_t carried_back(const sgm_search *search, uint64_t live, uint64_t played, uint64_t relevant) {
    uint64_t solo = search->hands[0];
    uint64_t between = live | (played & solo);
    for (uint64_t left = played & ~solo; left;) {
        uint64_t card = highest(left);
        left ^= card;
        uint64_t lane = lane_of_card(card);
        uint64_t higher = between & lane & above(card);
        uint64_t mark = higher ? lowest(higher) : 0;
        if (!(mark & relevant & ~solo))
            continue;
        uint64_t lower = live & lane & (card - 1);
        if (lower && (highest(lower) & pair_hand(search, card)))
            continue;
        relevant ^= mark | card;
        between |= card;
    }
    return relevant;
}

/* The highest of the cards that were skipped as equal to a card of the trick: what is proven with the card must
 * hold with each of them. Cards of the trick that did not win it never keep two cards from being equal. */
static uint64_t top_of_equals(const sgm_search *search, const trick *t, uint64_t card) {
    uint64_t hand = t->start & pair_hand(search, card);
    uint64_t others = t->start & ~hand & ~(t->played & ~t->best);
    return run_top(card, hand, others);
}

/* The mark that keeps the winner apart from the other seat of its side, whose card comes from the same run -
 * or none, if the answer is the same with the other one on lead: then it does not matter who has which. To know
 * that is worth a search where seat 0 has won its question: the pair has many ways to lose, and they are alike. */
static uint64_t apart_from_mate(sgm_search *search, const trick *t, const question *next, answer result) {
    question other = *next;
    uint64_t seen;
    other.leader = 3 - next->leader;
    answer swapped = probe(search, &other, &seen);
    if (swapped == OPEN && result == YES)
        swapped = decide_lead(search, &other, &seen);
    return swapped == result && !search->stopped ? seen : t->best;
}

/* What the answer to the question after a trick rests on, seen from the trick's start: the answer's own marks
 * and those that make the winner win. */
static uint64_t seen_from_start(sgm_search *search, const trick *t, const question *next, answer result,
                                uint64_t seen) {
    uint64_t relevant = carried_back(search, next->live, t->played, seen);
    if (!t->beaten)
        return relevant;
    uint64_t suit = lane_of_card(t->best) & down_from(t->best);
    if (t->best & search->hands[0])
        return relevant & suit ? relevant : relevant | t->best;
    uint64_t end = end_of_run(search, t->start, t->best);
    uint64_t mate = t->beaten & ~search->hands[0];
    uint64_t top = mate ? top_of_equals(search, t, mate) : 0;
    if (top >= end && !(relevant & suit & above(top)))
        relevant |= apart_from_mate(search, t, next, result);
    if (t->beaten & (search->hands[0] | (end - 1)) && !(relevant & suit))
        relevant |= end;
    return relevant;
}

/* Sets up the question after third hand's card. */
static trick after_trick(const sgm_moves *moves, const sgm_node *node, int need, uint64_t card,
                         question *next) {
    trick t = {.best = moves->best, .played = node->trick[0] | node->trick[1] | card};
    next->leader = moves->best_seat;
    if ((card & moves->ranked) > t.best) {
        t.best = card;
        next->leader = moves->seat;
    }
    t.start = node->live | t.played;
    t.beaten = t.played & ~t.best & lane_of_card(t.best);
    next->live = node->live & ~card;
    next->tricks = node->tricks - 1;
    next->need = need - (next->leader == 0);
    return t;
}

/* Third hand: first asks of every card what is known, then plays the cards for which nothing is. */
static answer decide_third(sgm_search *search, const sgm_node *node, int need, const sgm_moves *moves,
                           answer wanted, uint64_t *relevant) {
    question open[SGM_MAX_MOVES];
    trick tricks[SGM_MAX_MOVES];
    uint64_t cards[SGM_MAX_MOVES];
    int count = 0;
    uint64_t all = 0;
    uint64_t failed = 0; /* cards known to fail */
    for (int i = 0; i < moves->count; i++) {
        uint64_t seen;
        if (fails(moves, moves->cards[i], failed))
            continue;
        cards[count] = moves->cards[i];
        tricks[count] = after_trick(moves, node, need, cards[count], &open[count]);
        answer result = probe(search, &open[count], &seen);
        if (result == OPEN) {
            count++;
            continue;
        }
        seen = seen_from_start(search, &tricks[count], &open[count], result, seen);
        if (result == wanted) {
            *relevant = seen;
            count_play(search);
            return wanted;
        }
        failed |= alike(search, tricks[count].start, cards[count], seen);
        all |= seen;
    }
    for (int i = 0; i < count; i++) {
        uint64_t seen;
        if (fails(moves, cards[i], failed))
            continue;
        count_play(search);
        answer result = search->stopped ? NO : decide_lead(search, &open[i], &seen);
        if (search->stopped)
            return NO;
        seen = seen_from_start(search, &tricks[i], &open[i], result, seen);
        if (result == wanted) {
            *relevant = seen;
            return wanted;
        }
        failed |= alike(search, tricks[i].start, cards[i], seen);
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
        if (fails(moves, moves->cards[i], failed))
            continue;
        answer result = play_card(search, node, need, moves->cards[i], &seen);
        if (search->stopped)
            return NO;
        if (result == wanted) {
            *relevant = seen;
            return wanted;
        }
        failed |= alike(search, node->live | node->trick[0], moves->cards[i], seen);
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
    question q = {node->live, node->leader, node->tricks, need, 0, {{0}}};
    answer result = probe(search, &q, &relevant);
    if (result == OPEN)
        result = decide_lead(search, &q, &relevant);
    return result == YES;
}
