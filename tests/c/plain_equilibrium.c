/* plain_equilibrium.c - the equilibrium as one would write it first: depth first, one thread, a hash table of exact
 * positions up to relative ranks. The yardstick that the benchmark holds the core against; it shares no code with
 * it.
 *
 *   plain_equilibrium < lines
 *
 * A line: three hands in hexadecimal, trump 0..4, leader 0..2. For each it prints processor seconds, positions
 * stored, and the three values.
 *
 * Cards are bits, 16 a suit. Equal cards are played once, and counted. An entry has 48 bytes.
 */
#define _POSIX_C_SOURCE 199309L
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TIE 1e-9
#define SUIT UINT64_C(0xFFFF)

typedef struct {
    double seats[3];
} values;

typedef struct {
    uint64_t hands[3]; /* ranks packed; the leader in bits 14 and 15 of the first */
    values value;
} entry;

_Static_assert(sizeof(entry) == 48, "an entry has 48 bytes");

static entry *table;
static uint64_t slots, stored;
static int trump;

static uint64_t hash_of(const uint64_t key[3]) {
    uint64_t hash = key[0] * UINT64_C(0x9E3779B97F4A7C15);
    hash = (hash ^ hash >> 32 ^ key[1]) * UINT64_C(0xC2B2AE3D27D4EB4F);
    hash = (hash ^ hash >> 29 ^ key[2]) * UINT64_C(0x165667B19E3779F9);
    return hash ^ hash >> 32;
}

static entry *find(const uint64_t key[3]) {
    uint64_t slot = hash_of(key) & (slots - 1);
    while (table[slot].hands[1] && memcmp(table[slot].hands, key, sizeof table->hands) != 0)
        slot = (slot + 1) & (slots - 1);
    return &table[slot];
}

static void *allocate(uint64_t size) {
    void *memory = calloc(size, sizeof(entry));
    if (!memory) {
        fprintf(stderr, "plain_equilibrium: out of memory\n");
        exit(1);
    }
    return memory;
}

static void store(const uint64_t key[3], values value) {
    if (2 * stored >= slots) {
        entry *old = table;
        slots *= 2;
        table = allocate(slots);
        for (uint64_t slot = 0; slot < slots / 2; slot++) {
            if (old[slot].hands[1])
                *find(old[slot].hands) = old[slot];
        }
        free(old);
    }
    entry *place = find(key);
    memcpy(place->hands, key, sizeof place->hands);
    place->value = value;
    stored++;
}

static void pack(const uint64_t hands[3], int leader, uint64_t key[3]) {
    uint64_t all = hands[0] | hands[1] | hands[2];
    key[0] = (uint64_t)leader << 14;
    key[1] = key[2] = 0;
    for (int suit = 0; suit < 4; suit++) {
        uint64_t left = all & SUIT << 16 * suit;
        for (int place = 16 * suit; left; left &= left - 1, place++) {
            uint64_t card = left & -left;
            int owner = hands[0] & card ? 0 : hands[1] & card ? 1 : 2;
            key[owner] |= UINT64_C(1) << place;
        }
    }
}

static values position(const uint64_t hands[3], int leader);

static int beats(int card, int best) {
    if (card >> 4 == best >> 4)
        return card > best;
    return card >> 4 == trump;
}

/* Values a trick from the card that is played next. */
static values trick(const uint64_t hands[3], int leader, const int played[2], int count) {
    int who = (leader + count) % 3;
    uint64_t others = hands[(who + 1) % 3] | hands[(who + 2) % 3];
    uint64_t led = count ? SUIT << (played[0] & 48) : 0;
    uint64_t legal = hands[who] & led ? hands[who] & led : hands[who];
    values outcomes[17];
    int weights[17], number = 0;
    double top = -1;
    for (int i = 0; i < count; i++)
        others |= UINT64_C(1) << played[i];
    for (uint64_t left = legal; left; number++) {
        int card = __builtin_ctzll(left);
        weights[number] = 0;
        /* The card and those above it that are equal to it. */
        uint64_t between = left;
        do {
            uint64_t next = between & -between;
            if (weights[number] && (__builtin_ctzll(next) >> 4 != card >> 4 ||
                                    (others & (next - 1) & ~((UINT64_C(2) << card) - 1))))
                break;
            weights[number]++;
            between ^= next;
        } while (between);
        left = between;
        uint64_t after[3] = {hands[0], hands[1], hands[2]};
        after[who] ^= UINT64_C(1) << card;
        if (count < 2) {
            int now[2] = {count ? played[0] : card, card};
            outcomes[number] = trick(after, leader, now, count + 1);
        } else {
            int second = beats(played[1], played[0]);
            int winner = beats(card, played[second]) ? 2 : second;
            winner = (leader + winner) % 3;
            outcomes[number] = position(after, winner);
            outcomes[number].seats[winner] += 1;
        }
        if (outcomes[number].seats[who] > top)
            top = outcomes[number].seats[who];
    }
    values sum = {{0, 0, 0}};
    int weight = 0;
    for (int i = 0; i < number; i++) {
        if (outcomes[i].seats[who] >= top - TIE) {
            weight += weights[i];
            for (int seat = 0; seat < 3; seat++)
                sum.seats[seat] += weights[i] * outcomes[i].seats[seat];
        }
    }
    for (int seat = 0; seat < 3; seat++)
        sum.seats[seat] /= weight;
    return sum;
}

static values position(const uint64_t hands[3], int leader) {
    static const int nothing[2] = {0, 0};
    uint64_t key[3];
    if (!hands[0])
        return (values){{0, 0, 0}};
    pack(hands, leader, key);
    const entry *known = find(key);
    if (known->hands[1])
        return known->value;
    values value = trick(hands, leader, nothing, 0);
    store(key, value);
    return value;
}

static double seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

int main(void) {
    uint64_t hands[3];
    int leader;
    while (scanf("%" SCNx64 "%" SCNx64 "%" SCNx64 "%d%d", &hands[0], &hands[1], &hands[2], &trump, &leader) ==
           5) {
        double started = seconds();
        slots = 1 << 12;
        stored = 0;
        table = allocate(slots);
        values value = position(hands, leader);
        free(table);
        printf("%.6f %" PRIu64 " %.9f %.9f %.9f\n", seconds() - started, stored, value.seats[0],
               value.seats[1], value.seats[2]);
        fflush(stdout);
    }
    return 0;
}
