/* print_values.c - prints random endings and what a seat is sure of, on one warm context.
 *
 *   print_values SEED COUNT LARGEST    COUNT endings of 2 to LARGEST tricks, one to four suits, any trump
 *
 * tests/bounds_off.sh builds it with and without the bounds: both must print the same.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sgm.h"

static uint64_t state;

static unsigned below(unsigned limit) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(state >> 33) % limit;
}

static void shuffle(int *items, int count) {
    for (int i = count - 1; i > 0; i--) {
        int j = (int)below((unsigned)i + 1);
        int held = items[i];
        items[i] = items[j];
        items[j] = held;
    }
}

static sgm_position random_ending(int largest) {
    sgm_position position;
    int suits[SGM_SUITS] = {0, 1, 2, 3};
    int deck[SGM_SUITS * SGM_RANKS];
    int tricks = 2 + (int)below((unsigned)largest - 1);
    int used = 1 + (int)below(SGM_SUITS);
    if (used * SGM_RANKS < SGM_SEATS * tricks)
        used = SGM_SUITS;
    shuffle(suits, SGM_SUITS);
    for (int i = 0; i < used * SGM_RANKS; i++)
        deck[i] = 16 * suits[i / SGM_RANKS] + i % SGM_RANKS;
    shuffle(deck, used * SGM_RANKS);
    memset(&position, 0, sizeof position);
    for (int i = 0; i < SGM_SEATS * tricks; i++)
        position.hands[i / tricks] |= UINT64_C(1) << deck[i];
    position.trump = (int8_t)below(SGM_NO_TRUMP + 1);
    position.leader = (int8_t)below(SGM_SEATS);
    return position;
}

int main(int argc, char **argv) {
    if (argc != 4)
        return 2;
    state = strtoull(argv[1], NULL, 10);
    long count = strtol(argv[2], NULL, 10);
    int largest = atoi(argv[3]);
    sgm_context *context;
    if (largest < 2 || largest > SGM_MAX_TRICKS || sgm_new(UINT64_C(16) << 20, &context) != SGM_OK)
        return 2;
    for (long i = 0; i < count; i++) {
        sgm_position position = random_ending(largest);
        sgm_bounds bounds = {0, SGM_MAX_TRICKS};
        int seat = (int)below(SGM_SEATS);
        if (sgm_guaranteed(context, &position, seat, 0, 0, &bounds) != SGM_OK)
            return 1;
        printf("%" PRIx64 " %" PRIx64 " %" PRIx64 " trump %d leader %d seat %d: %d\n", position.hands[0],
               position.hands[1], position.hands[2], position.trump, position.leader, seat, bounds.lower);
    }
    sgm_free(context);
    return 0;
}
