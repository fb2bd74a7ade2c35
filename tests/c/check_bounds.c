/* check_bounds.c - holds what csrc/bounds.c claims against the search without any bound.
 *
 *   check_bounds SEED COUNT LARGEST    COUNT endings of 2 to LARGEST tricks
 *
 * Linked with no_bounds.c, so that the truth does not rest on what is checked. Each bound is asked by itself,
 * for every number of tricks. A claim must hold for the ending, and for any other that the table will take it
 * for: one in which what the claim says nothing about is dealt anew to hands of the same shape. Hands are
 * skewed towards few suits, trumps and top cards of seat 0, where the short cuts are.
 */
#include <stdlib.h>

#include "endings.h"

/* The bounds under test, all of them, under another name than the ones that the search is linked with. */
#define sgm_bounds_decide decide_by_bounds
#include "../../csrc/bounds.c"
#undef sgm_bounds_decide

typedef struct {
    const char *name;
    int for_pair; /* it claims tricks for seats 1 and 2, not for seat 0 */
    int leads;    /* 0: seat 0 leads; 1: another does; -1: anyone */
    int (*holds)(const sgm_view *view, int want, uint64_t *relevant);
} bound;

static sgm_context *context;
static sgm_relative relative;

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
    printf("%s: %s for %d, ", what, b->name, want);
    show_cards(e);
}

/* Returns whether a claim is true here and where what did not matter is dealt otherwise. */
static int check(const ending *e, const bound *b, int want, uint64_t relevant) {
    if (!is_true(e, b, want)) {
        show(e, b, want, "false");
        return 0;
    }
    ending other = *e;
    for (int suit = 0; suit < 4; suit++) {
        uint32_t marks = 0;
        for (int i = 0; i < e->lengths[suit]; i++)
            marks |= (uint32_t)(relevant >> (16 * suit + e->lengths[suit] - 1 - i) & 1) << i;
        redeal(&other, suit, marks);
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
    sgm_relative_fill(&relative, position.hands);
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
