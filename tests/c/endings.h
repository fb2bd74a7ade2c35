/* endings.h - random endings for the checks of proofs, and the other endings that a proof must hold for. */
#ifndef SGM_TEST_ENDINGS_H
#define SGM_TEST_ENDINGS_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "cards.h"
#include "sgm.h"

typedef struct {
    int owners[4][13]; /* of each suit's cards, from the top down; suit 3 is trumps, if there are any */
    int lengths[4];
    int tricks;
    int leader;
    int has_trump;
} ending;

static uint64_t state;

static int below(int limit) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((state >> 33) % (uint64_t)limit);
}

/* Shuffles who owns a suit's cards number `from` to `to` - 1, counted from the top. */
static void shuffle(ending *e, int suit, int from, int to) {
    for (int i = to - 1; i > from; i--) {
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
        shuffle(&e, suit, 0, e.lengths[suit]);
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

/* Deals anew what a proof with these marks says nothing about: who has which card of a block, and all cards
 * below the lowest mark of a suit. marks: bit 0 for the suit's highest card. */
static void redeal(ending *e, int suit, uint32_t marks) {
    int from = 0;
    for (; marks >> from; from++) {
        int to = from;
        while (!(marks >> to & 1) && !e->owners[suit][to] == !e->owners[suit][to + 1])
            to++;
        shuffle(e, suit, from, to + 1);
        from = to;
    }
    shuffle(e, suit, from, e->lengths[suit]);
}

static void show_cards(const ending *e) {
    printf("%s, leader %d:", e->has_trump ? "suit 3 trumps" : "no trumps", e->leader);
    for (int suit = 0; suit < 4; suit++) {
        printf(" ");
        for (int i = 0; i < e->lengths[suit]; i++)
            printf("%d", e->owners[suit][i]);
        printf(suit < 3 ? "," : "\n");
    }
}

#endif
