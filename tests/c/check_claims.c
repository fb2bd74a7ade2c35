/* check_claims.c - holds what the search stores in its table against plain enumeration.
 *
 *   check_claims SEED COUNT LARGEST    all endings of 3 tricks in one suit, COUNT of 2 to LARGEST tricks
 *
 * Linked in place of table.c: the same table, but it checks each pattern it is given on random positions that
 * the pattern stands for, and for every other ending it remembers nothing, so that proofs are found from
 * scratch.
 */
#include <stdlib.h>

#include "endings.h"

/* The table under another name, behind the one that checks. */
#define sgm_table_store remember
#define sgm_table_find recall
#include "../../csrc/table.c"
#undef sgm_table_store
#undef sgm_table_find

#define POSITIONS_OF_PATTERN 3

static long claims;
static long failed;
static int forgetful;

/* Whether seat 0 can win `need` of the tricks from here, by trying everything. trick: the cards played, count of
 * them. */
static int wins(const uint64_t hands[3], int leader, const uint64_t trick[3], int count, uint64_t trump,
                int need) {
    if (count == 3) {
        uint64_t ranked = trump | lane_of_card(trick[0]);
        int winner = 0;
        for (int place = 1; place < 3; place++) {
            if ((trick[place] & ranked) > trick[winner])
                winner = place;
        }
        winner = (leader + winner) % 3;
        return wins(hands, winner, trick, 0, trump, need - (winner == 0));
    }
    int seat = (leader + count) % 3;
    if (need <= 0 || !hands[seat])
        return need <= 0;
    uint64_t led = count ? lane_of_card(trick[0]) : ALL_LANES;
    for (uint64_t legal = hands[seat] & led ? hands[seat] & led : hands[seat]; legal; legal &= legal - 1) {
        uint64_t left[3] = {hands[0], hands[1], hands[2]};
        uint64_t played[3] = {trick[0], trick[1], 0};
        left[seat] ^= lowest(legal);
        played[count] = lowest(legal);
        if (wins(left, leader, played, count + 1, trump, need) == (seat == 0))
            return seat == 0;
    }
    return seat != 0;
}

static int in_bounds(const ending *e, int lower, int upper) {
    sgm_position position = position_of(e);
    uint64_t trump = e->has_trump ? lane_of_suit(3) : 0;
    uint64_t none[3] = {0, 0, 0};
    return wins(position.hands, e->leader, none, 0, trump, lower) &&
           !wins(position.hands, e->leader, none, 0, trump, upper + 1);
}

/* Makes one of the suits that a pattern's lane stands for: any, with the seats in order inside a block. */
static void fill_suit(ending *e, int suit, uint64_t lane, const int lengths[3]) {
    int left[3] = {lengths[0], lengths[1], lengths[2]};
    int from = 0;
    int counted = 0;
    for (uint64_t marks = sgm_marks(lane); marks; marks &= marks - 1) {
        int to = __builtin_ctzll(marks) / COUNT_BITS + 1;
        int count = (int)(lane >> (COUNT_BITS * (to - 1)) & 15);
        int ones = count - counted;
        for (int i = from; i < to; i++) {
            int pair = lane >> (SIDES_SHIFT + i) & 1;
            e->owners[suit][i] = !pair ? 0 : ones-- > 0 ? 1 : 2;
            left[e->owners[suit][i]]--;
        }
        from = to;
        counted = count;
    }
    for (int seat = 0; seat < 3; seat++) {
        while (left[seat]-- > 0)
            e->owners[suit][from++] = seat;
    }
}

static ending ending_of(uint64_t key, const sgm_places *pattern) {
    ending e;
    memset(&e, 0, sizeof e);
    e.leader = (int)(key >> 48 & 3);
    e.has_trump = !(key >> 50 & 1);
    for (int suit = 0; suit < 4; suit++) {
        int lengths[3];
        for (int seat = 0; seat < 3; seat++) {
            lengths[seat] = (int)(key >> (12 * suit + 4 * seat) & 15);
            e.lengths[suit] += lengths[seat];
        }
        fill_suit(&e, suit, pattern->suit[suit], lengths);
    }
    return e;
}

/* Prints how many of the cards down to each mark are seat 1's, "-" where there is none. */
static void show_marks(const sgm_places *pattern) {
    printf("  pattern:");
    for (int suit = 0; suit < 4; suit++) {
        printf(" ");
        for (int i = 0; i < COUNTED_CARDS; i++) {
            if (sgm_marks(pattern->suit[suit]) >> (COUNT_BITS * i) & 1)
                printf("%d", (int)(pattern->suit[suit] >> (COUNT_BITS * i) & 15));
            else
                printf("-");
        }
        printf(suit < 3 ? "," : "\n");
    }
}

void sgm_table_store(sgm_table *table, uint64_t key, const sgm_places *pattern, int lower, int upper) {
    ending e = ending_of(key, pattern);
    for (int i = 0; i < POSITIONS_OF_PATTERN; i++) {
        for (int suit = 0; suit < 4; suit++) {
            uint32_t marks = 0;
            for (uint64_t left = sgm_marks(pattern->suit[suit]); left; left &= left - 1)
                marks |= UINT32_C(1) << __builtin_ctzll(left) / COUNT_BITS;
            redeal(&e, suit, marks);
        }
        claims++;
        if (in_bounds(&e, lower, upper))
            continue;
        failed++;
        printf("stored %d..%d, but not so: ", lower, upper);
        show_cards(&e);
        show_marks(pattern);
    }
    remember(table, key, pattern, lower, upper);
}

sgm_found sgm_table_find(sgm_table *table, uint64_t key, const sgm_places *places, int need) {
    if (!forgetful)
        return recall(table, key, places, need);
    return (sgm_found){0, 0, SGM_MAX_TRICKS, {{0}}};
}

static void solve(sgm_context *context, const ending *e) {
    sgm_position position = position_of(e);
    sgm_bounds proven = {0, SGM_MAX_TRICKS};
    if (sgm_guaranteed(context, &position, 0, 0, 0, &proven) != SGM_OK)
        abort();
}

/* Brings the cards of seats 1 and 2 to the top of a suit, in the order they are in: a long block. */
static void raise_pair(ending *e, int suit) {
    int place = 0;
    for (int i = 0; i < e->lengths[suit]; i++) {
        int held = e->owners[suit][i];
        if (!held)
            continue;
        e->owners[suit][i] = e->owners[suit][place];
        e->owners[suit][place++] = held;
    }
}

/* Solves every ending of three tricks in one suit, from the card number `at` on: nothing but ranks. */
static void solve_all_of_one_suit(sgm_context *context, ending *e, int left[3], int at) {
    if (at == 9) {
        for (e->leader = 0; e->leader < 3; e->leader++)
            solve(context, e);
        return;
    }
    for (int seat = 0; seat < 3; seat++) {
        if (!left[seat])
            continue;
        left[seat]--;
        e->owners[0][at] = seat;
        solve_all_of_one_suit(context, e, left, at + 1);
        left[seat]++;
    }
}

int main(int argc, char **argv) {
    sgm_context *context;
    int largest = argc == 4 ? atoi(argv[3]) : 0;
    if (largest < 2 || largest > SGM_MAX_TRICKS || sgm_new(SGM_MIN_MEMORY, &context) != SGM_OK)
        return 2;
    state = strtoull(argv[1], NULL, 10);
    ending one_suit = {.lengths = {9, 0, 0, 0}, .tricks = 3};
    forgetful = 1;
    solve_all_of_one_suit(context, &one_suit, (int[3]){3, 3, 3}, 0);
    for (long i = atol(argv[2]); i > 0 && failed < 10; i--) {
        forgetful = (int)(i & 1);
        ending e = random_ending(largest);
        if (i & 2)
            raise_pair(&e, below(4));
        solve(context, &e);
    }
    printf("%ld claims, %ld failed\n", claims, failed);
    sgm_free(context);
    return failed > 0;
}
