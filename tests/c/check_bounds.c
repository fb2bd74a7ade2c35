/* check_bounds.c - holds what csrc/bounds.c claims against the search without any bound.
 *
 *   check_bounds SEED COUNT LARGEST    COUNT endings of 2 to LARGEST tricks
 *
 * Linked with no_bounds.c, so that the truth does not rest on what is checked. Each bound is asked by itself,
 * for every number of tricks. A claim must hold for the ending, and for any other in which the cards below
 * the relevant ones of each suit are dealt anew to hands of the same shape: that is what the table will take
 * it for. Hands are skewed towards few suits, trumps and top cards of seat 0, where the short cuts are.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The bounds under test, all of them, under another name than the ones that the search is linked with. */
#define sgm_bounds_decide decide_by_bounds
#include "../../csrc/bounds.c"
#undef sgm_bounds_decide

typedef struct {
    int owners[4][13]; /* of each suit's cards, from the top down; suit 3 is trumps, if there are any */
    int lengths[4];
    int tricks;
    int leader;
    int has_trump;
} ending;

typedef struct {
    const char *name;
    int for_pair; /* it claims tricks for seats 1 and 2, not for seat 0 */
    int leads;    /* 0: seat 0 leads; 1: another does; -1: anyone */
    int (*holds)(const sgm_view *view, int want, uint64_t *relevant);
} bound;

static uint64_t state;
static sgm_context *context;
static sgm_relative relative;

static int below(int limit) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((state >> 33) % (uint64_t)limit);
}

static int solo_cashes(const sgm_view *view, int want, uint64_t *relevant) {
    cash own = cash_top_cards(view, 0, FOES_OF_SOLO, want);
    *relevant = own.relevant;
    return own.trumps + own.plain >= want;
}

static int solo_trumps(const sgm_view *view, int want, uint64_t *relevant) {
    return view->has_trump && trumps_suffice(view, 0, FOES_OF_SOLO, want, relevant);
}

static int solo_wins_one_of(const sgm_view *view, int want, uint64_t *relevant) {
    return want == 1 && solo_wins_one(view, relevant);
}

static int leader_cashes_then_waits(const sgm_view *view, int want, uint64_t *relevant) {
    return view->has_trump && cashes_then_waits(view, want, relevant);
}

static int pair_waits_for_trumps(const sgm_view *view, int want, uint64_t *relevant) {
    return view->has_trump && pair_waits(view, want, relevant);
}

/* What the search asks, for either side. */
static int decided_for_solo(const sgm_view *view, int want, uint64_t *relevant) {
    return decide_by_bounds(view, want, relevant) == 1;
}

static int decided_for_pair(const sgm_view *view, int want, uint64_t *relevant) {
    return decide_by_bounds(view, view->tricks - want + 1, relevant) == 0;
}

static const bound bounds[] = {
    {"solo cashes", 0, 0, solo_cashes},
    {"solo cashes then waits", 0, 0, leader_cashes_then_waits},
    {"solo's trumps", 0, -1, solo_trumps},
    {"solo waits for entry", 0, 1, solo_waits_for_entry},
    {"solo wins one", 0, 1, solo_wins_one_of},
    {"pair cashes", 1, 1, pair_cashes},
    {"pair cashes then waits", 1, 1, leader_cashes_then_waits},
    {"pair waits for trumps", 1, 0, pair_waits_for_trumps},
    {"decided for solo", 0, -1, decided_for_solo},
    {"decided for the pair", 1, -1, decided_for_pair},
};

/* Shuffles the owners of a suit's cards from a depth on. */
static void shuffle(ending *e, int suit, int from) {
    for (int i = e->lengths[suit] - 1; i > from; i--) {
        int j = from + below(i - from + 1);
        int held = e->owners[suit][i];
        e->owners[suit][i] = e->owners[suit][j];
        e->owners[suit][j] = held;
    }
}

/* Gives a seat its cards, suit by suit with a weight for each. Returns whether no suit has more than 13. */
static int deal_seat(ending *e, int seat) {
    int weights[4];
    int sum = 0;
    for (int suit = 0; suit < 4; suit++)
        sum += weights[suit] = below(3) ? below(4) : 0;
    if (!sum)
        sum = weights[below(4)] = 1;
    for (int i = 0; i < e->tricks; i++) {
        int pick = below(sum);
        int suit = 0;
        while (pick >= weights[suit])
            pick -= weights[suit++];
        if (e->lengths[suit] == 13)
            return 0;
        e->owners[suit][e->lengths[suit]++] = seat;
    }
    return 1;
}

static void raise_seat_0(ending *e, int suit) {
    for (int i = 0; i < e->lengths[suit]; i++) {
        if (e->owners[suit][i] == 0) {
            e->owners[suit][i] = e->owners[suit][0];
            e->owners[suit][0] = 0;
            return;
        }
    }
}

static ending random_ending(int largest) {
    ending e;
    int dealt;
    do {
        memset(&e, 0, sizeof e);
        e.tricks = 2 + below(largest - 1);
        e.leader = below(3);
        e.has_trump = below(6) > 0;
        dealt = deal_seat(&e, 0) && deal_seat(&e, 1) && deal_seat(&e, 2);
    } while (!dealt);
    for (int suit = 0; suit < 4; suit++) {
        shuffle(&e, suit, 0);
        if (!below(3))
            raise_seat_0(&e, suit);
    }
    return e;
}

static sgm_position position_of(const ending *e) {
    sgm_position position;
    memset(&position, 0, sizeof position);
    position.trump = (int8_t)(e->has_trump ? 3 : SGM_NO_TRUMP);
    position.leader = (int8_t)e->leader;
    for (int suit = 0; suit < 4; suit++) {
        for (int i = 0; i < e->lengths[suit]; i++)
            position.hands[e->owners[suit][i]] |= UINT64_C(1) << (16 * suit + e->lengths[suit] - 1 - i);
    }
    return position;
}

static int truth(const ending *e) {
    sgm_position position = position_of(e);
    sgm_bounds proven = {0, SGM_MAX_TRICKS};
    if (sgm_guaranteed(context, &position, 0, 0, 0, &proven) != SGM_OK)
        abort();
    return proven.lower;
}

static int is_true(const ending *e, const bound *b, int want) {
    int value = truth(e);
    return b->for_pair ? e->tricks - value >= want : value >= want;
}

static void show(const ending *e, const bound *b, int want, const char *what) {
    printf("%s: %s for %d, %s, leader %d:", what, b->name, want, e->has_trump ? "suit 3 trumps" : "no trumps",
           e->leader);
    for (int suit = 0; suit < 4; suit++) {
        printf(" ");
        for (int i = 0; i < e->lengths[suit]; i++)
            printf("%d", e->owners[suit][i]);
        printf(suit < 3 ? "," : "\n");
    }
}

/* Returns whether a claim is true here and where only cards that did not matter are dealt otherwise. */
static int check(const ending *e, const bound *b, int want, uint64_t relevant) {
    if (!is_true(e, b, want)) {
        show(e, b, want, "false");
        return 0;
    }
    ending other = *e;
    for (int suit = 0; suit < 4; suit++) {
        uint64_t lane = relevant >> (16 * suit) & LANE;
        shuffle(&other, suit, lane ? other.lengths[suit] - __builtin_ctzll(lane) : 0);
    }
    if (is_true(&other, b, want))
        return 1;
    show(e, b, want, "looked at too little");
    show(&other, b, want, "false here");
    return 0;
}

/* Asks every bound for every number of tricks; counts what they claim. Returns how many claims failed. */
static long check_ending(const ending *e, long claims[]) {
    sgm_position position = position_of(e);
    uint64_t live = position.hands[0] | position.hands[1] | position.hands[2];
    sgm_relative_fill(&relative, position.hands, 0);
    sgm_view view = {&relative, live, {0}, e->leader, e->tricks, e->has_trump};
    for (int suit = 0; suit < 4; suit++)
        view.suits[suit] = relative_suit(&relative, live, suit);
    long failed = 0;
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        if (bounds[i].leads >= 0 && bounds[i].leads != (e->leader != 0))
            continue;
        for (int want = 1; want <= e->tricks; want++) {
            uint64_t relevant = 0;
            if (!bounds[i].holds(&view, want, &relevant))
                continue;
            claims[i]++;
            failed += !check(e, &bounds[i], want, relevant);
        }
    }
    return failed;
}

int main(int argc, char **argv) {
    long claims[sizeof bounds / sizeof *bounds] = {0};
    long failed = 0;
    int largest = argc == 4 ? atoi(argv[3]) : 0;
    if (largest < 2 || largest > SGM_MAX_TRICKS || sgm_new(UINT64_C(32) << 20, &context) != SGM_OK)
        return 2;
    state = strtoull(argv[1], NULL, 10);
    sgm_relative_init(&relative);
    for (long i = atol(argv[2]); i > 0 && failed < 10; i--) {
        ending e = random_ending(largest);
        failed += check_ending(&e, claims);
    }
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
        printf("%-24s %ld claims\n", bounds[i].name, claims[i]);
    printf("%ld failed\n", failed);
    sgm_free(context);
    return failed > 0;
}
