/* tricks.c - see tricks.h. */
#include "tricks.h"

static uint32_t lane_bits(uint64_t cards, int suit) {
    return (uint32_t)(cards >> (16 * suit) & LANE);
}

static void fill_alike(uint16_t *alike, const uint64_t hands[3], int suit) {
    uint32_t all = lane_bits(hands[0] | hands[1] | hands[2], suit);
    alike[0] = 0;
    for (uint32_t ranks = 1; ranks <= all; ranks++) {
        uint32_t top = 1u << (31 - __builtin_clz(ranks));
        uint32_t rest = alike[ranks ^ top];
        uint32_t taken = rest ? (2u << (31 - __builtin_clz(rest))) - 1 : 0;
        for (int seat = 0; seat < 3; seat++) {
            uint32_t own = lane_bits(hands[seat], suit);
            uint32_t places = own & ~taken;
            if (own & top)
                alike[ranks] = (uint16_t)(rest | (places & (~places + 1)));
        }
    }
}

static uint64_t runs_of(uint32_t hand, uint32_t live) {
    uint64_t runs = 0;
    int count = 0, open = 0;
    for (; live; live &= live - 1) {
        uint32_t rank = (uint32_t)__builtin_ctz(live);
        int own = hand >> rank & 1;
        if (own && !open)
            runs |= (uint64_t)rank << (4 + 8 * count++);
        if (own)
            runs += UINT64_C(1) << (8 * count);
        open = own;
    }
    return runs | (uint64_t)count;
}

static void fill_runs(uint64_t (*runs)[3], const uint64_t hands[3], int suit) {
    uint32_t all = lane_bits(hands[0] | hands[1] | hands[2], suit);
    for (uint32_t ranks = 0; ranks <= all; ranks++) {
        for (int seat = 0; seat < 3; seat++)
            runs[ranks][seat] = runs_of(lane_bits(hands[seat], suit), ranks);
    }
}

void sgm_owners_init(sgm_owners *owners, const uint64_t hands[3], uint64_t trump) {
    owners->trump = trump;
    for (int seat = 0; seat < 3; seat++)
        owners->hands[seat] = hands[seat];
    for (int suit = 0; suit < 4; suit++) {
        fill_alike(owners->alike[suit], hands, suit);
        fill_runs(owners->runs[suit], hands, suit);
    }
}

static inline void unpack_run(sgm_runs *runs, int place, uint64_t packed, int suit) {
    runs->cards[place] = UINT64_C(1) << (16 * suit + (int)(packed & 15));
    runs->sizes[place] = (double)(packed >> 4 & 15);
}

static inline void list_runs(sgm_runs *runs, const sgm_owners *owners, uint64_t live, int seat) {
    int count = 0;
    for (int suit = 0; suit < 4; suit++) {
        uint64_t packed = owners->runs[suit][lane_bits(live, suit)][seat];
        int more = (int)(packed & 15);
        runs->first[suit] = (uint8_t)count;
        /* As many as there mostly are at most, to do without a branch. */
        for (int i = 0; i < RUNS_AT_ONCE; i++)
            unpack_run(runs, count + i, packed >> (4 + 8 * i), suit);
        for (int i = RUNS_AT_ONCE; i < more; i++)
            unpack_run(runs, count + i, packed >> (4 + 8 * i), suit);
        count += more;
    }
    runs->first[4] = (uint8_t)count;
}

static void set_played(sgm_runs *runs, uint64_t card) {
    runs->cards[0] = card;
    runs->sizes[0] = 1;
    for (int suit = 0; suit < 5; suit++)
        runs->first[suit] = suit > suit_of_card(card);
}

static void set_box(sgm_box *box, const sgm_start *start, int suit) {
    box->leaders = 0;
    box->all_follow = 1;
    for (int seat = 0; seat < 3; seat++) {
        const sgm_runs *runs = &start->runs[seat];
        int count = runs->first[suit + 1] - runs->first[suit];
        box->first[seat] = count ? runs->first[suit] : 0;
        box->count[seat] = count ? count : runs->first[4];
        box->leaders |= (count ? 1 << seat : 0) & start->leaders;
        box->all_follow &= count > 0;
    }
}

void sgm_start_init(sgm_start *start, const sgm_owners *owners, uint64_t live, int leaders,
                    const uint64_t played[3]) {
    start->live = live;
    start->alike = 0;
    for (int suit = 0; suit < 4; suit++)
        start->alike |= (uint64_t)owners->alike[suit][lane_bits(live, suit)] << (16 * suit);
    start->leaders = leaders;
    for (int seat = 0; seat < 3; seat++) {
        if (played && played[seat])
            set_played(&start->runs[seat], played[seat]);
        else
            list_runs(&start->runs[seat], owners, live, seat);
    }
    for (int suit = 0; suit < 4; suit++)
        set_box(&start->boxes[suit], start, suit);
}

/* Cells of a box whose cards are all of its suit. */
static int suit_cells(const sgm_owners *owners, const sgm_start *start, const sgm_box *box,
                      const uint64_t *const cards[3], int suit, sgm_cell *cells) {
    const uint16_t *alike = owners->alike[suit];
    uint64_t elsewhere = start->alike & ~lane_of_suit(suit);
    sgm_cell *cell = cells;
    for (int i = 0; i < box->count[0]; i++) {
        for (int j = 0; j < box->count[1]; j++) {
            uint64_t first = cards[0][i], second = cards[1][j];
            uint64_t best = second > first ? second : first;
            uint8_t winner = second > first;
            uint64_t rest = start->live ^ first ^ second;
            for (int k = 0; k < box->count[2]; k++, cell++) {
                cell->live = elsewhere | (uint64_t)alike[lane_bits(rest ^ cards[2][k], suit)] << (16 * suit);
                cell->winner = cards[2][k] > best ? 2 : winner;
            }
        }
    }
    return (int)(cell - cells);
}

static uint64_t alike_in(const sgm_owners *owners, uint64_t all_alike, uint64_t live, uint64_t card) {
    int suit = suit_of_card(card);
    return (all_alike & ~lane_of_suit(suit)) | (uint64_t)owners->alike[suit][lane_bits(live, suit)]
                                                   << (16 * suit);
}

static int box_cells(const sgm_owners *owners, const sgm_start *start, int suit, sgm_cell *cells) {
    const sgm_box *box = &start->boxes[suit];
    const uint64_t winning = lane_of_suit(suit) | owners->trump;
    const uint64_t *cards[3];
    sgm_cell *cell = cells;
    for (int seat = 0; seat < 3; seat++)
        cards[seat] = start->runs[seat].cards + box->first[seat];
    if (box->all_follow)
        return suit_cells(owners, start, box, cards, suit, cells);
    for (int i = 0; i < box->count[0]; i++) {
        uint64_t first = cards[0][i];
        uint64_t alike = alike_in(owners, start->alike, start->live ^ first, first);
        for (int j = 0; j < box->count[1]; j++) {
            uint64_t second = cards[1][j];
            uint64_t rest = start->live ^ first ^ second;
            uint64_t rest_alike = alike_in(owners, alike, rest, second);
            uint8_t winner = (second & winning) > (first & winning);
            uint64_t best = (winner ? second : first) & winning;
            for (int k = 0; k < box->count[2]; k++, cell++) {
                uint64_t third = cards[2][k];
                cell->live = alike_in(owners, rest_alike, rest ^ third, third);
                cell->winner = (third & winning) > best ? 2 : winner;
            }
        }
    }
    return (int)(cell - cells);
}

int sgm_cells(const sgm_owners *owners, const sgm_start *start, sgm_cell *cells) {
    int count = 0;
    for (int suit = 0; suit < 4; suit++) {
        if (start->boxes[suit].leaders)
            count += box_cells(owners, start, suit, cells + count);
    }
    return count;
}
