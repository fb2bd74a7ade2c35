/* fuzz_position.c - a fuzz target for the C interface, in the form that libFuzzer calls.
 *
 * Input, missing bytes counting as 0. Byte 0 says how the rest is read.
 *
 * Even: the fields of sgm_position as they are (hands of 8 bytes, low byte first; trump; leader; trick count;
 * two trick cards), then seat and at_least: mostly impossible positions.
 *
 * Odd: cards a hand, trump, leader, cards in the trick, seat, at_least, lowest rank; then bytes that choose
 * the cards, each from those that are left: always possible positions.
 *
 * Checked: sgm_check, sgm_guaranteed and sgm_equilibrium_solve agree; a refused question leaves the bounds and
 * values alone; bounds are in order, and decide the question that was asked; a warm table, a cold one and a node
 * limit never contradict each other; expected tricks add up, and are the same to the last bit for one thread and
 * two; up to three tricks, brute force agrees with both.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sgm.h"

#define NODE_LIMIT 5000
#define BRUTE_TRICKS 3
/* Enumerating more takes too long here. */
#define ENUMERATED_TRICKS 6
#define ENUMERATION_MEMORY (UINT64_C(16) << 20)
#define TIE 1e-9
#define REQUIRE(condition)                                                                                   \
    do {                                                                                                     \
        if (!(condition))                                                                                    \
            complain(#condition, __LINE__);                                                                  \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void complain(const char *condition, int line) {
    fprintf(stderr, "fuzz_position.c:%d: violated: %s\n", line, condition);
    abort();
}

typedef struct {
    const uint8_t *data;
    size_t left;
} bytes;

static uint8_t next_byte(bytes *input) {
    if (!input->left)
        return 0;
    input->left--;
    return *input->data++;
}

typedef struct {
    sgm_position position;
    int seat;
    int at_least;
} question;

static question read_fields(bytes *input) {
    question q = {{{0}, 0, 0, 0, {0}}, 0, 0};
    for (int seat = 0; seat < 3; seat++) {
        for (int i = 0; i < 8; i++)
            q.position.hands[seat] |= (uint64_t)next_byte(input) << (8 * i);
    }
    q.position.trump = (int8_t)next_byte(input);
    q.position.leader = (int8_t)next_byte(input);
    q.position.trick_count = (int8_t)next_byte(input);
    q.position.trick[0] = next_byte(input);
    q.position.trick[1] = next_byte(input);
    q.seat = (int8_t)next_byte(input);
    q.at_least = (int8_t)next_byte(input);
    return q;
}

/* The legal cards of a hand. */
static uint64_t legal(const sgm_position *position, uint64_t hand) {
    if (!position->trick_count)
        return hand;
    uint64_t led = hand & (UINT64_C(0xFFFF) << (position->trick[0] & 0x30));
    return led ? led : hand;
}

static int to_play(const sgm_position *position) {
    return (position->leader + position->trick_count) % 3;
}

/* Returns the number of the chosen card of a set that is not empty. */
static int choose(uint64_t cards, int choice) {
    int count = 0;
    for (uint64_t left = cards; left; left &= left - 1)
        count++;
    for (choice %= count; choice; choice--)
        cards &= cards - 1;
    int number = 0;
    while (!(cards >> number & 1))
        number++;
    return number;
}

static void add_to_trick(sgm_position *position, int number) {
    position->hands[to_play(position)] &= ~(UINT64_C(1) << number);
    position->trick[position->trick_count++] = (uint8_t)number;
}

static question deal(bytes *input) {
    question q = {{{0}, 0, 0, 0, {0}}, 0, 0};
    int size = next_byte(input) % 18;
    q.position.trump = (int8_t)(next_byte(input) % 5);
    q.position.leader = (int8_t)(next_byte(input) % 3);
    int played = next_byte(input) % 3;
    q.seat = next_byte(input) % 3;
    q.at_least = next_byte(input) % 20;
    int lowest = next_byte(input) % 13;
    uint64_t deck = 0;
    for (int number = 0; number < 64; number++) {
        if (number % 16 >= lowest && number % 16 < 13)
            deck |= UINT64_C(1) << number;
    }
    if (size > 4 * (13 - lowest) / 3)
        size = 4 * (13 - lowest) / 3;
    for (int i = 0; i < 3 * size; i++) {
        uint64_t card = UINT64_C(1) << choose(deck, next_byte(input));
        deck &= ~card;
        q.position.hands[i % 3] |= card;
    }
    for (int i = 0; i < played && size; i++) {
        uint64_t hand = q.position.hands[to_play(&q.position)];
        add_to_trick(&q.position, choose(legal(&q.position, hand), next_byte(input)));
    }
    return q;
}

static int tricks_left(const sgm_position *position) {
    int tricks = position->trick_count > 0;
    for (uint64_t hand = position->hands[(int)position->leader]; hand; hand &= hand - 1)
        tricks++;
    return tricks;
}

/* Returns the seat that takes a trick of three cards. */
static int taker(const sgm_position *position, const int cards[3]) {
    int best = 0;
    for (int i = 1; i < 3; i++) {
        int same = cards[i] / 16 == cards[best] / 16;
        if (same ? cards[i] > cards[best] : cards[i] / 16 == position->trump)
            best = i;
    }
    return (position->leader + best) % 3;
}

/* Plays a card. Returns the seat that has taken the trick by it, -1 if the trick goes on. */
static int play(const sgm_position *position, int number, sgm_position *after) {
    *after = *position;
    if (position->trick_count < 2) {
        add_to_trick(after, number);
        return -1;
    }
    int cards[3] = {position->trick[0], position->trick[1], number};
    after->hands[to_play(position)] &= ~(UINT64_C(1) << number);
    after->trick_count = 0;
    after->leader = (int8_t)taker(position, cards);
    return after->leader;
}

/* The max-min of a seat by playing every card. */
static int brute_force(const sgm_position *position, int seat) {
    int who = to_play(position);
    uint64_t hand = position->hands[who];
    if (!hand)
        return 0;
    int best = -1;
    for (uint64_t left = legal(position, hand); left; left &= left - 1) {
        sgm_position after;
        int won = play(position, choose(left, 0), &after) == seat;
        int value = brute_force(&after, seat) + won;
        if (best < 0 || (who == seat ? value > best : value < best))
            best = value;
    }
    return best;
}

/* What a seat makes of the best of some cards: those of them that are worst or best for a named seat. */
static void weigh(double (*cards)[3], int count, int who, sgm_ties ties, int named, double values[3]) {
    double best = -1, wanted = 0;
    for (int i = 0; i < count; i++)
        best = fmax(best, cards[i][who]);
    int first = 1;
    for (int i = 0; i < count; i++) {
        if (cards[i][who] < best - TIE)
            continue;
        double here = cards[i][named];
        wanted = first ? here : ties == SGM_TIES_FOR ? fmax(wanted, here) : fmin(wanted, here);
        first = 0;
    }
    int chosen = 0;
    memset(values, 0, 3 * sizeof *values);
    for (int i = 0; i < count; i++) {
        if (cards[i][who] < best - TIE)
            continue;
        if (ties != SGM_TIES_NEUTRAL && fabs(cards[i][named] - wanted) > TIE)
            continue;
        chosen++;
        for (int seat = 0; seat < 3; seat++)
            values[seat] += cards[i][seat];
    }
    for (int seat = 0; seat < 3; seat++)
        values[seat] /= chosen;
}

/* The equilibrium by playing every card. */
static void brute_equilibrium(const sgm_position *position, sgm_ties ties, int named, double values[3]) {
    int who = to_play(position), count = 0;
    double cards[BRUTE_TRICKS][3];
    memset(values, 0, 3 * sizeof *values);
    if (!position->hands[who])
        return;
    for (uint64_t left = legal(position, position->hands[who]); left; left &= left - 1) {
        sgm_position after;
        int winner = play(position, choose(left, 0), &after);
        brute_equilibrium(&after, ties, named, cards[count]);
        if (winner >= 0)
            cards[count][winner] += 1;
        count++;
    }
    weigh(cards, count, who, ties, named, values);
}

static void check_equilibrium(sgm_equilibrium *enumeration, const question *q) {
    int tricks = tricks_left(&q->position);
    if (tricks > ENUMERATED_TRICKS)
        return;
    sgm_ties ties = (sgm_ties)(q->at_least % 3);
    double one[3], two[3], exact[3];
    REQUIRE(sgm_equilibrium_solve(enumeration, &q->position, 1, ties, q->seat) == SGM_OK);
    REQUIRE(sgm_equilibrium_values(enumeration, &q->position, one) == SGM_OK);
    REQUIRE(sgm_equilibrium_solve(enumeration, &q->position, 2, ties, q->seat) == SGM_OK);
    REQUIRE(sgm_equilibrium_values(enumeration, &q->position, two) == SGM_OK);
    REQUIRE(memcmp(one, two, sizeof one) == 0);
    REQUIRE(fabs(one[0] + one[1] + one[2] - tricks) < TIE);
    if (tricks > BRUTE_TRICKS)
        return;
    brute_equilibrium(&q->position, ties, q->seat, exact);
    for (int seat = 0; seat < 3; seat++)
        REQUIRE(fabs(one[seat] - exact[seat]) < TIE);
}

static sgm_equilibrium *new_enumeration(void) {
    sgm_equilibrium *enumeration;
    if (sgm_equilibrium_new(ENUMERATION_MEMORY, &enumeration) != SGM_OK)
        abort();
    return enumeration;
}

static sgm_context *new_context(void) {
    sgm_context *context;
    if (sgm_new(SGM_MIN_MEMORY, &context) != SGM_OK)
        abort();
    return context;
}

static void check_refused(sgm_context *context, sgm_equilibrium *enumeration, const question *q,
                          sgm_status status) {
    sgm_bounds bounds = {3, 7};
    double values[3] = {3, 5, 8};
    REQUIRE(status > SGM_STOPPED && status < SGM_ERR_WINDOW);
    REQUIRE(sgm_guaranteed(context, &q->position, 0, q->at_least, NODE_LIMIT, &bounds) == status);
    REQUIRE(bounds.lower == 3 && bounds.upper == 7);
    REQUIRE(sgm_equilibrium_solve(enumeration, &q->position, 1, SGM_TIES_NEUTRAL, 0) == status);
    REQUIRE(sgm_equilibrium_values(enumeration, &q->position, values) != SGM_OK);
    REQUIRE(values[0] == 3 && values[1] == 5 && values[2] == 8);
}

static sgm_bounds ask(sgm_context *context, const question *q, int at_least, sgm_status *status) {
    sgm_bounds bounds = {0, SGM_MAX_TRICKS};
    *status = sgm_guaranteed(context, &q->position, q->seat, at_least, NODE_LIMIT, &bounds);
    REQUIRE(*status == SGM_OK || *status == SGM_STOPPED);
    REQUIRE(0 <= bounds.lower && bounds.lower <= bounds.upper);
    REQUIRE(bounds.upper <= (*status == SGM_OK ? tricks_left(&q->position) : SGM_MAX_TRICKS));
    return bounds;
}

static void check_answers(sgm_context *warm, sgm_context *cold, const question *q) {
    sgm_status status;
    sgm_bounds part = ask(warm, q, q->at_least, &status);
    if (status == SGM_OK && q->at_least > 0)
        REQUIRE(part.lower >= q->at_least || part.upper < q->at_least);
    sgm_bounds first = ask(warm, q, 0, &status);
    if (status == SGM_OK)
        REQUIRE(first.lower == first.upper);
    sgm_clear(cold);
    sgm_bounds second = ask(cold, q, 0, &status);
    if (status == SGM_OK)
        REQUIRE(second.lower == second.upper);
    int lower = first.lower > second.lower ? first.lower : second.lower;
    int upper = first.upper < second.upper ? first.upper : second.upper;
    REQUIRE(lower <= upper && part.lower <= upper && part.upper >= lower);
    if (tricks_left(&q->position) <= BRUTE_TRICKS) {
        int exact = brute_force(&q->position, q->seat);
        REQUIRE(lower == exact && upper == exact);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    /* Contexts of the whole run: the warm one has seen every input before this one. */
    static sgm_context *warm, *cold;
    static sgm_equilibrium *enumeration;
    if (!warm) {
        warm = new_context();
        cold = new_context();
        enumeration = new_enumeration();
    }
    bytes input = {data, size};
    int dealt = next_byte(&input) & 1;
    question q = dealt ? deal(&input) : read_fields(&input);
    sgm_status status = sgm_check(&q.position);
    if (dealt)
        REQUIRE(status == SGM_OK);
    if (status != SGM_OK) {
        check_refused(warm, enumeration, &q, status);
    } else if (q.seat < 0 || q.seat > 2) {
        sgm_bounds bounds = {0, SGM_MAX_TRICKS};
        REQUIRE(sgm_guaranteed(warm, &q.position, q.seat, 0, 0, &bounds) == SGM_ERR_SEAT);
    } else {
        check_answers(warm, cold, &q);
        check_equilibrium(enumeration, &q);
    }
    return 0;
}
