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
 * Checked: sgm_check and sgm_guaranteed agree; a refused question leaves the bounds alone; bounds are in
 * order, and decide the question that was asked; a warm table, a cold one and a node limit never contradict
 * each other; up to three tricks, brute force agrees.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "sgm.h"

#define NODE_LIMIT 5000
#define BRUTE_TRICKS 3
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

/* The max-min of a seat by playing every card. */
static int brute_force(const sgm_position *position, int seat) {
    int who = to_play(position);
    uint64_t hand = position->hands[who];
    if (!hand)
        return 0;
    int best = -1;
    for (uint64_t left = legal(position, hand); left; left &= left - 1) {
        int number = choose(left, 0);
        sgm_position after = *position;
        int value;
        if (position->trick_count < 2) {
            add_to_trick(&after, number);
            value = brute_force(&after, seat);
        } else {
            int cards[3] = {position->trick[0], position->trick[1], number};
            after.hands[who] &= ~(UINT64_C(1) << number);
            after.trick_count = 0;
            after.leader = (int8_t)taker(position, cards);
            value = brute_force(&after, seat) + (after.leader == seat);
        }
        if (best < 0 || (who == seat ? value > best : value < best))
            best = value;
    }
    return best;
}

static sgm_context *new_context(void) {
    sgm_context *context;
    if (sgm_new(SGM_MIN_MEMORY, &context) != SGM_OK)
        abort();
    return context;
}

static void check_refused(sgm_context *context, const question *q, sgm_status status) {
    sgm_bounds bounds = {3, 7};
    REQUIRE(status > SGM_STOPPED && status < SGM_ERR_WINDOW);
    REQUIRE(sgm_guaranteed(context, &q->position, 0, q->at_least, NODE_LIMIT, &bounds) == status);
    REQUIRE(bounds.lower == 3 && bounds.upper == 7);
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
    if (!warm) {
        warm = new_context();
        cold = new_context();
    }
    bytes input = {data, size};
    int dealt = next_byte(&input) & 1;
    question q = dealt ? deal(&input) : read_fields(&input);
    sgm_status status = sgm_check(&q.position);
    if (dealt)
        REQUIRE(status == SGM_OK);
    if (status != SGM_OK) {
        check_refused(warm, &q, status);
    } else if (q.seat < 0 || q.seat > 2) {
        sgm_bounds bounds = {0, SGM_MAX_TRICKS};
        REQUIRE(sgm_guaranteed(warm, &q.position, q.seat, 0, 0, &bounds) == SGM_ERR_SEAT);
    } else {
        check_answers(warm, cold, &q);
    }
    return 0;
}
