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

void sgm_owners_init(sgm_owners *owners, const uint64_t hands[3], uint64_t trump) {
    owners->trump = trump;
    for (int seat = 0; seat < 3; seat++)
        owners->hands[seat] = hands[seat];
    for (int suit = 0; suit < 4; suit++)
        fill_alike(owners->alike[suit], hands, suit);
}

static void list_runs(sgm_runs *runs, uint64_t hand, uint64_t others) {
    uint64_t bottoms = run_bottoms(hand, others);
    int count = 0;
    for (int suit = 0; suit < 4; suit++) {
        runs->first[suit] = (uint8_t)count;
        for (uint64_t left = bottoms & lane_of_suit(suit); left; count++) {
            uint64_t bottom = lowest(left);
            left ^= bottom;
            uint64_t run = hand & lane_of_suit(suit) & above(bottom);
            if (left)
                run &= lowest(left) - 1;
            runs->cards[count] = bottom;
            runs->sizes[count] = 1;
            for (; run; run &= run - 1)
                runs->sizes[count] += 1;
        }
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
    for (int seat = 0; seat < 3; seat++) {
        const sgm_runs *runs = &start->runs[seat];
        int count = runs->first[suit + 1] - runs->first[suit];
        box->first[seat] = count ? runs->first[suit] : 0;
        box->count[seat] = count ? count : runs->first[4];
        box->leaders |= (count ? 1 << seat : 0) & start->leaders;
    }
}

void sgm_start_init(sgm_start *start, const sgm_owners *owners, uint64_t live, int leaders,
                    const uint64_t played[3]) {
    start->live = live;
    start->leaders = leaders;
    for (int seat = 0; seat < 3; seat++) {
        uint64_t hand = owners->hands[seat] & live;
        if (played && played[seat])
            set_played(&start->runs[seat], played[seat]);
        else
            list_runs(&start->runs[seat], hand, live & ~hand);
    }
    for (int suit = 0; suit < 4; suit++)
        set_box(&start->boxes[suit], start, suit);
}

static int box_cells(const sgm_owners *owners, const sgm_start *start, int suit, sgm_cell *cells) {
    const sgm_box *box = &start->boxes[suit];
    uint64_t winning = lane_of_suit(suit) | owners->trump;
    const uint64_t *cards[3];
    sgm_cell *cell = cells;
    for (int seat = 0; seat < 3; seat++)
        cards[seat] = start->runs[seat].cards + box->first[seat];
    for (int i = 0; i < box->count[0]; i++) {
        for (int j = 0; j < box->count[1]; j++) {
            uint64_t ranked = cards[0][i] & winning;
            uint64_t other = cards[1][j] & winning;
            uint8_t winner = other > ranked;
            uint64_t best = winner ? other : ranked;
            uint64_t rest = start->live ^ cards[0][i] ^ cards[1][j];
            uint64_t alike = 0;
            for (int lane = 0; lane < 4; lane++)
                alike |= (uint64_t)owners->alike[lane][lane_bits(rest, lane)] << (16 * lane);
            for (int k = 0; k < box->count[2]; k++, cell++) {
                uint64_t card = cards[2][k];
                int lane = suit_of_card(card);
                uint64_t changed = owners->alike[lane][lane_bits(rest ^ card, lane)];
                cell->live = (alike & ~lane_of_suit(lane)) | changed << (16 * lane);
                cell->winner = (card & winning) > best ? 2 : winner;
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
