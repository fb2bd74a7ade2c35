/* bounds.c - sure tricks by counting top cards.
 *
 * The leader's side cashes: every suit's run of top cards in one hand, as far as the other side must follow or
 * cannot ruff. The other side waits: trumps that must win some time, whatever is led.
 * Each count is a lower bound that holds for any play of the other side; each names the cards it looked at.
 */
#include "bounds.h"

static int min_int(int a, int b) {
    return a < b ? a : b;
}

static int max_int(int a, int b) {
    return a > b ? a : b;
}

static uint64_t depth_card(const sgm_view *view, int suit, int depth) {
    return depth ? card_at_depth(view->relative, view->live, suit, depth) : 0;
}

static int own_run(uint64_t entry, int seat) {
    return length_of(entry, seat) && top_holder(entry) == seat ? top_run(entry) : 0;
}

typedef struct {
    int trumps; /* trump tricks */
    int plain;  /* tricks in other suits */
    int drawn;  /* how many of the trump leads the count relies on */
    uint64_t relevant;
} cash;

static int longest_of_others(uint64_t entry, int seat) {
    int a = length_of(entry, next_seat(seat));
    int b = length_of(entry, next_seat(next_seat(seat)));
    return max_int(a, b);
}

/* The tricks `seat` takes by leading its top cards; `foes` is a bit set of the seats against it. */
static cash cash_top_cards(const sgm_view *view, int seat, unsigned foes) {
    cash result = {0, 0, 0, 0};
    int ruff_limit[4] = {SGM_MAX_TRICKS, SGM_MAX_TRICKS, SGM_MAX_TRICKS, SGM_MAX_TRICKS};
    int safe = 1; /* nobody else can have a trump left after the draw */
    if (view->has_trump) {
        uint64_t trump = view->suits[3];
        int run = own_run(trump, seat);
        int others = longest_of_others(trump, seat);
        safe = run >= others;
        result.drawn = safe ? others : run;
        result.trumps = safe ? length_of(trump, seat) : run;
        result.relevant |= depth_card(view, 3, result.drawn);
        for (int foe = 0; foe < 3; foe++) {
            if (!(foes >> foe & 1) || length_of(trump, foe) <= run)
                continue;
            for (int suit = 0; suit < 3; suit++)
                ruff_limit[suit] = min_int(ruff_limit[suit], length_of(view->suits[suit], foe));
        }
    }
    for (int suit = 0; suit < 3 + !view->has_trump; suit++) {
        uint64_t entry = view->suits[suit];
        int run = own_run(entry, seat);
        if (!run)
            continue;
        int others = longest_of_others(entry, seat);
        int all = safe && run >= others;
        int tricks = all ? length_of(entry, seat) : min_int(run, ruff_limit[suit]);
        result.plain += tricks;
        result.relevant |= depth_card(view, suit, all ? min_int(others, tricks) : tricks);
    }
    return result;
}

/* Trumps of seat 1 or 2 that win whatever seat 0 leads: a higher trump of seat 0 takes at most one of them, and
 * the lowest go first. (For seat 0 against two hands this fails: a trump led by one strips it of its low trumps
 * while the other holds the high one.) */
static int waiting_trumps(const sgm_view *view, int seat, uint64_t *relevant) {
    uint64_t trump = view->suits[3];
    int length = length_of(trump, seat);
    int cards = length_of(trump, 0) + length_of(trump, 1) + length_of(trump, 2);
    int own = 0;
    int higher = 0;
    int best = 0;
    int best_depth = 0;
    for (int depth = 1; depth <= cards && own < length; depth++) {
        int holder = (int)(trump >> (2 * (depth - 1))) & 3;
        higher += holder == 0;
        if (holder != seat)
            continue;
        own++;
        int tricks = min_int(own, length - higher);
        if (tricks > best) {
            best = tricks;
            best_depth = depth;
        }
    }
    *relevant = depth_card(view, 3, best_depth);
    return best;
}

/* Top trumps held by seats 1 and 2 together: all win, less those that must fall on one trick because neither
 * hand has enough low trumps to give. */
static int pooled_top_trumps(const sgm_view *view, uint64_t *relevant) {
    uint64_t trump = view->suits[3];
    int run = pooled_run(trump);
    int tops[3] = {0, 0, 0};
    for (int depth = 0; depth < run; depth++)
        tops[(trump >> (2 * depth)) & 3]++;
    int crash_1 = max_int(0, tops[2] - (length_of(trump, 1) - tops[1]));
    int crash_2 = max_int(0, tops[1] - (length_of(trump, 2) - tops[2]));
    *relevant = depth_card(view, 3, run);
    return run - min_int(crash_1, crash_2);
}

/* Tricks of seats 1 and 2 while seat 0 leads. */
static int waiting_pair(const sgm_view *view, uint64_t *relevant) {
    uint64_t looked_at;
    int best = pooled_top_trumps(view, relevant);
    for (int seat = 1; seat <= 2; seat++) {
        int tricks = waiting_trumps(view, seat, &looked_at);
        if (tricks > best) {
            best = tricks;
            *relevant = looked_at;
        }
    }
    return best;
}

/* Whether the leader can put its mate on lead with a trick: a suit whose top card is the mate's and that seat 0
 * must follow or cannot ruff. */
static int can_cross(const sgm_view *view, int seat, int mate) {
    int may_ruff = view->has_trump && length_of(view->suits[3], 0) > 0;
    for (int suit = 0; suit < 4; suit++) {
        uint64_t entry = view->suits[suit];
        if (!length_of(entry, seat) || !own_run(entry, mate))
            continue;
        if (!may_ruff || length_of(entry, 0) || (suit == 3 && view->has_trump))
            return 1;
    }
    return 0;
}

/* Whether `mate` never has to ruff while plain winners are cashed: it has other cards to give. */
static int never_ruffs(const sgm_view *view, int mate, int drawn, int plain) {
    int trumps = view->has_trump ? length_of(view->suits[3], mate) : 0;
    return trumps <= drawn || plain <= view->tricks - trumps;
}

/* Tricks of seats 1 and 2 while one of them leads. */
static int cashing_pair(const sgm_view *view, uint64_t *relevant) {
    int seat = view->leader;
    int mate = 3 - seat;
    cash own = cash_top_cards(view, seat, 1u);
    *relevant = 0;
    int best = 0;
    if (never_ruffs(view, mate, own.drawn, own.plain)) {
        best = own.trumps + own.plain;
        *relevant = own.relevant;
    }
    if (!can_cross(view, seat, mate))
        return best;
    cash far = cash_top_cards(view, mate, 1u);
    int plain = own.plain + far.plain;
    if (never_ruffs(view, mate, own.drawn, plain) && never_ruffs(view, seat, own.drawn + far.drawn, plain)) {
        best = own.trumps + own.plain + far.trumps + far.plain;
        *relevant = own.relevant | far.relevant;
    }
    return best;
}

/* The depth of the highest card of `seat` in a suit it has cards of. */
static int depth_of_top(uint64_t entry, int seat) {
    int depth = 1;
    while ((int)(entry >> (2 * (depth - 1)) & 3) != seat)
        depth++;
    return depth;
}

static int waits_for_entry(const sgm_view *view, int need, uint64_t *relevant) {
    uint64_t trump = view->has_trump ? view->suits[3] : 0;
    int foe_trumps = length_of(trump, 1) + length_of(trump, 2);
    int own_trumps = length_of(trump, 0);
    uint64_t looked_at = 0;
    int may_ruff = own_trumps > 0;
    if (foe_trumps) {
        int longest = longest_of_others(trump, 0);
        int run = own_run(trump, 0);
        if (run <= longest)
            return 0;
        looked_at |= depth_card(view, 3, longest + 1);
    }
    int spare = view->tricks - foe_trumps; /* cards that need not be kept, less those that must be given */
    int winners = own_trumps;
    int stoppers = 0;
    for (int suit = 0; suit < 3 + !view->has_trump; suit++) {
        uint64_t entry = view->suits[suit];
        int length = length_of(entry, 0);
        int others = longest_of_others(entry, 0);
        if (!others && !length)
            continue;
        int run = own_run(entry, 0);
        if (run) {
            int all = run >= others;
            winners += all ? length : run;
            stoppers++;
            looked_at |= depth_card(view, suit, all ? max_int(1, others) : run);
            continue;
        }
        if (!length) {
            spare -= may_ruff ? 0 : others;
            continue;
        }
        int lost = may_ruff ? min_int(length, others) : others;
        int depth = depth_of_top(entry, 0);
        int guard = depth - 1;
        int behind = 0;
        for (int d = 0; d < guard; d++)
            behind |= (int)(entry >> (2 * d) & 3) == 1;
        if (!behind && length > guard && guard + 1 < lost) {
            spare -= guard + 1;
            looked_at |= depth_card(view, suit, depth);
        } else {
            spare -= lost;
        }
    }
    *relevant = looked_at;
    return winners - foe_trumps >= need && spare >= max_int(need, stoppers);
}

int sgm_bounds_decide(const sgm_view *view, int need, uint64_t *relevant) {
    if (view->leader == 0) {
        cash own = cash_top_cards(view, 0, 6u);
        *relevant = own.relevant;
        if (own.trumps + own.plain >= need)
            return 1;
        if (view->has_trump && view->tricks - waiting_pair(view, relevant) < need)
            return 0;
        return -1;
    }
    if (view->tricks - cashing_pair(view, relevant) < need)
        return 0;
    if (view->has_trump) {
        int tops = own_run(view->suits[3], 0);
        *relevant = depth_card(view, 3, tops);
        if (tops >= need)
            return 1;
    }
    if (waits_for_entry(view, need, relevant))
        return 1;
    return -1;
}
