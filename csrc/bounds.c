/* bounds.c - sure tricks by counting top cards.
 *
 * The leader's side cashes: every suit's run of top cards in one hand, as far as the other side must follow
 * or cannot ruff. The other side waits: for trumps that must win some time, or, seat 0, for the trick that
 * puts it on lead. Each count is a lower bound that holds for any play of the other side. It stops at the
 * number that is wanted and names the cards it looked at, so that what is proven holds for as many positions
 * as possible.
 */
#include "bounds.h"

#define FOES_OF_SOLO 6u /* bit sets of seats */
#define FOES_OF_PAIR 1u

static int min_int(int a, int b) {
    return a < b ? a : b;
}

static int max_int(int a, int b) {
    return a > b ? a : b;
}

static uint64_t depth_card(const sgm_view *view, int suit, int depth) {
    return depth ? card_at_depth(view->relative, view->live, suit, depth) : 0;
}

/* The cards of a suit down to a depth: marks for a count that looked at who held each of them. */
static uint64_t each_card(const sgm_view *view, int suit, int depth) {
    uint64_t last = depth_card(view, suit, depth);
    return last ? view->live & lane_of_suit(suit) & ~(last - 1) : 0;
}

static int holder_at(uint64_t entry, int depth) {
    return (int)(entry >> (HOLDER_BITS * (depth - 1))) & 3;
}

static int own_run(uint64_t entry, int seat) {
    return length_of(entry, seat) && top_holder(entry) == seat ? top_run(entry) : 0;
}

static int longest_of_others(uint64_t entry, int seat) {
    int a = length_of(entry, next_seat(seat));
    int b = length_of(entry, next_seat(next_seat(seat)));
    return max_int(a, b);
}

typedef struct {
    int trumps; /* trump tricks */
    int plain;  /* tricks in other suits */
    int drawn;  /* how many of the trump leads the count relies on */
    uint64_t relevant;
} cash;

/* How many rounds of each plain suit every seat of `foes` that may still ruff has to follow. */
static void limit_by_ruffs(const sgm_view *view, unsigned foes, int drawn, int limits[4]) {
    for (int foe = 0; foe < 3; foe++) {
        if (!(foes >> foe & 1) || length_of(view->suits[3], foe) <= drawn)
            continue;
        for (int suit = 0; suit < 3; suit++)
            limits[suit] = min_int(limits[suit], length_of(view->suits[suit], foe));
    }
}

/* Counts up to `want` tricks that `seat` takes by leading its top cards, against `foes`. */
static cash cash_top_cards(const sgm_view *view, int seat, unsigned foes, int want) {
    cash result = {0, 0, 0, 0};
    int limits[4] = {SGM_MAX_TRICKS, SGM_MAX_TRICKS, SGM_MAX_TRICKS, SGM_MAX_TRICKS};
    int safe = 1; /* nobody else has a trump left after the draw */
    if (view->has_trump) {
        uint64_t trump = view->suits[3];
        int run = own_run(trump, seat);
        int others = longest_of_others(trump, seat);
        safe = run >= others;
        result.trumps = min_int(want, safe ? length_of(trump, seat) : run);
        int enough = result.trumps == want;
        result.drawn = enough ? min_int(want, run) : run;
        if (safe)
            result.drawn = min_int(result.drawn, others);
        result.relevant |= depth_card(view, 3, result.drawn);
        limit_by_ruffs(view, foes, run, limits);
    }
    for (int suit = 0; suit < 3 + !view->has_trump && result.trumps + result.plain < want; suit++) {
        uint64_t entry = view->suits[suit];
        int run = own_run(entry, seat);
        if (!run)
            continue;
        int others = longest_of_others(entry, seat);
        int all = safe && run >= others;
        int tricks = all ? length_of(entry, seat) : min_int(run, limits[suit]);
        tricks = min_int(tricks, want - result.trumps - result.plain);
        result.plain += tricks;
        result.relevant |= depth_card(view, suit, all ? min_int(others, tricks) : tricks);
    }
    return result;
}

/* Counts up to `want` tricks that `seat` takes by leading top cards of plain suits while trumps stay out. */
static int plain_top_cards(const sgm_view *view, int seat, unsigned foes, int want, uint64_t *relevant) {
    int limits[4] = {SGM_MAX_TRICKS, SGM_MAX_TRICKS, SGM_MAX_TRICKS, SGM_MAX_TRICKS};
    limit_by_ruffs(view, foes, 0, limits);
    int total = 0;
    for (int suit = 0; suit < 3 && total < want; suit++) {
        uint64_t entry = view->suits[suit];
        int tricks = min_int(min_int(own_run(entry, seat), limits[suit]), want - total);
        total += tricks;
        *relevant |= depth_card(view, suit, tricks);
    }
    return total;
}

/* Whether the trumps of `seat` take `want` tricks against `foes` whoever leads. Each is played some time and
 * wins unless a higher trump of a foe falls on the same trick, so at most as many are lost as can be paired
 * with higher ones. Looks no deeper into the suit than it must: below that the worst order is assumed. */
static int trumps_suffice(const sgm_view *view, int seat, unsigned foes, int want, uint64_t *relevant) {
    uint64_t trump = view->suits[3];
    int own = length_of(trump, seat);
    if (own < want)
        return 0;
    int lower = 0; /* trumps of the foes below the depth looked at */
    for (int foe = 0; foe < 3; foe++)
        lower += foes >> foe & 1 ? length_of(trump, foe) : 0;
    int spare = own - want; /* trumps that may be lost */
    int free = 0;           /* higher trumps of the foes that have not been paired */
    for (int depth = 1; min_int(own, free + lower) > spare; depth++) {
        if (!own || spare < 0)
            return 0;
        int holder = holder_at(trump, depth);
        if (holder == seat) {
            own--;
            spare -= free > 0;
            free -= free > 0;
        } else if (foes >> holder & 1) {
            free++;
            lower--;
        }
        *relevant = seat ? each_card(view, 3, depth) : depth_card(view, 3, depth);
    }
    return spare >= 0;
}

/* Whether seat 1 or 2 is sure of one trick while seat 0 leads: its best trump, behind which it has a lower
 * one for each higher trump of seat 0. Until the pair wins a trick seat 0 leads, so `seat` plays after it: it
 * beats every lower trump led, ruffs every suit it lacks, and gives a lower trump to each higher one. */
static int guarded_trump(const sgm_view *view, int seat, uint64_t *relevant) {
    uint64_t trump = view->suits[3];
    int length = length_of(trump, seat);
    int higher = 0;
    for (int depth = 1; length > higher; depth++) {
        int holder = holder_at(trump, depth);
        if (holder == seat) {
            *relevant = each_card(view, 3, depth);
            return 1;
        }
        higher += holder == 0;
    }
    return 0;
}

/* Counts up to `want` of the top trumps held by seats 1 and 2 together: all win, less those that must fall on
 * one trick because neither hand has enough other trumps to give. */
static int pooled_top_trumps(const sgm_view *view, int want, uint64_t *relevant) {
    uint64_t trump = view->suits[3];
    int run = pooled_run(trump);
    int tops[3] = {0, 0, 0};
    int best = 0;
    int best_depth = 0;
    for (int depth = 1; depth <= run && best < want; depth++) {
        tops[holder_at(trump, depth)]++;
        int crash_1 = max_int(0, tops[2] - (length_of(trump, 1) - tops[1]));
        int crash_2 = max_int(0, tops[1] - (length_of(trump, 2) - tops[2]));
        int tricks = depth - min_int(crash_1, crash_2);
        if (tricks > best) {
            best = tricks;
            best_depth = depth;
        }
    }
    *relevant = each_card(view, 3, best_depth);
    return best;
}

/* Whether seats 1 and 2 take `want` tricks with trumps alone while seat 0 leads. */
static int pair_waits(const sgm_view *view, int want, uint64_t *relevant) {
    for (int seat = 1; seat <= 2; seat++) {
        *relevant = 0;
        if (trumps_suffice(view, seat, FOES_OF_PAIR, want, relevant))
            return 1;
    }
    if (pooled_top_trumps(view, want, relevant) >= want)
        return 1;
    return want == 1 && (guarded_trump(view, 1, relevant) || guarded_trump(view, 2, relevant));
}

/* Whether the leader can put its mate on lead with a trick: a suit whose top card is the mate's and that seat
 * 0 must follow or cannot ruff. */
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

/* Whether seats 1 and 2 take `want` tricks at once when one of them leads: the leader's top cards, then a
 * lead to the mate and the mate's top cards. */
static int pair_cashes(const sgm_view *view, int want, uint64_t *relevant) {
    int seat = view->leader;
    int mate = 3 - seat;
    cash own = cash_top_cards(view, seat, FOES_OF_PAIR, want);
    *relevant = own.relevant;
    if (own.trumps + own.plain >= want)
        return never_ruffs(view, mate, own.drawn, own.plain);
    if (!can_cross(view, seat, mate))
        return 0;
    cash far = cash_top_cards(view, mate, FOES_OF_PAIR, SGM_MAX_TRICKS);
    int plain = own.plain + far.plain;
    *relevant |= far.relevant;
    return own.trumps + own.plain + far.trumps + far.plain >= want &&
           never_ruffs(view, mate, own.drawn, plain) && never_ruffs(view, seat, own.drawn + far.drawn, plain);
}

/* The depth of the highest card of `seat` in a suit it has cards of. */
static int depth_of_top(uint64_t entry, int seat) {
    int depth = 1;
    while (holder_at(entry, depth) != seat)
        depth++;
    return depth;
}

/* Cards that seat 0 gives up or must keep in a plain suit in which it has not the top card, so that the other
 * two cannot run the suit for longer than that. A guard - its best card with a small card for each higher one
 * - holds if none of the higher cards plays after it. */
static int given_in_suit(const sgm_view *view, int suit, int may_ruff, uint64_t *relevant) {
    uint64_t entry = view->suits[suit];
    int length = length_of(entry, 0);
    int others = longest_of_others(entry, 0);
    if (!length)
        return may_ruff ? 0 : others;
    int given = may_ruff ? min_int(length, others) : others;
    int depth = depth_of_top(entry, 0);
    if (length < depth || depth >= given)
        return given;
    for (int above_it = 1; above_it < depth; above_it++) {
        if (holder_at(entry, above_it) == 1)
            return given;
    }
    *relevant |= depth_card(view, suit, depth);
    return depth;
}

/* Whether seat 0 takes `want` tricks though another seat leads: it keeps `want` winners, among them one of
 * each suit whose top card it has, until a lead that it can win. The others' tricks before that lead are
 * limited by the suits it does not stop; each costs it a card, and each of their ruffs perhaps a winner. */
static int solo_waits_for_entry(const sgm_view *view, int want, uint64_t *relevant) {
    uint64_t trump = view->has_trump ? view->suits[3] : 0;
    int ruffs = length_of(trump, 1) + length_of(trump, 2);
    int may_ruff = length_of(trump, 0) > 0;
    *relevant = 0;
    if (ruffs) {
        int longest = longest_of_others(trump, 0);
        if (own_run(trump, 0) <= longest)
            return 0;
        *relevant |= depth_card(view, 3, longest + 1);
    }
    int spare = view->tricks - ruffs;
    int winners = length_of(trump, 0) - ruffs;
    int stopped = 0;
    for (int suit = 0; suit < 3 + !view->has_trump; suit++) {
        uint64_t entry = view->suits[suit];
        int run = own_run(entry, 0);
        if (!run) {
            spare -= given_in_suit(view, suit, may_ruff, relevant);
            continue;
        }
        int others = longest_of_others(entry, 0);
        int all = run >= others;
        int used = max_int(1, min_int(all ? length_of(entry, 0) : run, want - winners));
        winners += used;
        stopped++;
        *relevant |= depth_card(view, suit, all ? max_int(1, min_int(others, used)) : used);
    }
    return winners >= want && spare >= max_int(want, stopped);
}

/* Whether the leader's plain top cards and then trumps of its side take `want` tricks. Trumps are not led
 * first, so the plain cards are limited by the foes who may ruff. */
static int cashes_then_waits(const sgm_view *view, int want, uint64_t *relevant) {
    int solo = view->leader == 0;
    unsigned foes = solo ? FOES_OF_SOLO : FOES_OF_PAIR;
    uint64_t looked_at = 0;
    int plain = plain_top_cards(view, view->leader, foes, want, &looked_at);
    if (!solo && !never_ruffs(view, 3 - view->leader, 0, plain))
        return 0;
    for (int seat = solo ? 0 : 1; seat <= (solo ? 0 : 2); seat++) {
        *relevant = 0;
        int reached = trumps_suffice(view, seat, foes, want - plain, relevant);
        *relevant |= looked_at;
        if (reached)
            return 1;
    }
    return 0;
}

/* How many tricks seats 1 and 2 may win in a plain suit, once no trumps are left against it, before seat 0
 * wins one there: it plays its best cards, and with one more of them than there are cards above the last of
 * these it loses just the others. *stopped: whether it comes to that; if not, all their rounds are lost. */
static int lost_in_suit(const sgm_view *view, int suit, int *stopped, uint64_t *relevant) {
    uint64_t entry = view->suits[suit];
    int length = length_of(entry, 0);
    int others = longest_of_others(entry, 0);
    int own = 0;
    int higher = 0;
    *stopped = 0;
    for (int depth = 1; own < length && higher < others; depth++) {
        if (holder_at(entry, depth) != 0) {
            higher++;
            continue;
        }
        if (++own > higher) {
            *stopped = 1;
            *relevant |= depth_card(view, suit, depth);
            return higher;
        }
    }
    return others;
}

/* Whether seat 0 wins a trick at all though another seat leads. The others win only with trumps, with plain
 * cards of suits that it does not stop, and with those that its stoppers lose to; each such trick costs it a
 * card. While they have trumps no suit counts as stopped: a stopper that is played before a ruff is lost. */
static int solo_wins_one(const sgm_view *view, uint64_t *relevant) {
    uint64_t trump = view->has_trump ? view->suits[3] : 0;
    int ruffs = length_of(trump, 1) + length_of(trump, 2);
    int lost = ruffs;
    int stoppers = 0;
    *relevant = 0;
    for (int suit = 0; suit < 3 + !view->has_trump; suit++) {
        int stopped = 0;
        if (ruffs)
            lost += longest_of_others(view->suits[suit], 0);
        else
            lost += lost_in_suit(view, suit, &stopped, relevant);
        stoppers += stopped;
    }
    return view->tricks - lost >= max_int(1, stoppers);
}

/* An upper limit, quickly found, of what seats `first` and `second` together could be shown to be sure of. */
static int most_sure(const sgm_view *view, int first, int second) {
    int most = 0;
    for (int suit = 0; suit < 4; suit++) {
        uint64_t entry = view->suits[suit];
        int top = top_holder(entry);
        if (suit == 3 && view->has_trump)
            most += length_of(entry, first) + (second != first ? length_of(entry, second) : 0);
        else if (top == first || top == second)
            most += length_of(entry, top);
    }
    return most;
}

static int decide_with_solo_on_lead(const sgm_view *view, int need, int against, uint64_t *relevant) {
    if (most_sure(view, 0, 0) >= need) {
        cash own = cash_top_cards(view, 0, FOES_OF_SOLO, need);
        *relevant = own.relevant;
        if (own.trumps + own.plain >= need || (view->has_trump && cashes_then_waits(view, need, relevant)))
            return 1;
    }
    return view->has_trump && pair_waits(view, against, relevant) ? 0 : -1;
}

static int decide_with_pair_on_lead(const sgm_view *view, int need, int against, uint64_t *relevant) {
    if (most_sure(view, 1, 2) >= against) {
        if (pair_cashes(view, against, relevant))
            return 0;
        if (view->has_trump && cashes_then_waits(view, against, relevant))
            return 0;
    }
    if (need == 1 && solo_wins_one(view, relevant))
        return 1;
    if (most_sure(view, 0, 0) < need)
        return -1;
    *relevant = 0;
    if (view->has_trump && trumps_suffice(view, 0, FOES_OF_SOLO, need, relevant))
        return 1;
    return solo_waits_for_entry(view, need, relevant) ? 1 : -1;
}

int sgm_bounds_decide(const sgm_view *view, int need, uint64_t *relevant) {
    int against = view->tricks - need + 1; /* tricks with which seats 1 and 2 refute the question */
    if (view->leader == 0)
        return decide_with_solo_on_lead(view, need, against, relevant);
    return decide_with_pair_on_lead(view, need, against, relevant);
}
