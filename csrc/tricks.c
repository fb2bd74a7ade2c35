/* tricks.c - see tricks.h. */
#include "tricks.h"

void sgm_owners_init(sgm_owners *owners, const uint64_t hands[3], uint64_t trump) {
    uint64_t all = hands[0] | hands[1] | hands[2];
    uint32_t first = 0;
    owners->trump = trump;
    for (int seat = 0; seat < 3; seat++)
        owners->hands[seat] = hands[seat];
    for (int suit = 0; suit < 4; suit++) {
        uint16_t *alike = owners->alike + first;
        uint32_t lane = (uint32_t)(all >> (16 * suit) & LANE);
        owners->first[suit] = first;
        alike[0] = 0;
        for (uint32_t ranks = 1; ranks <= lane; ranks++) {
            uint32_t top = 1u << (31 - __builtin_clz(ranks));
            uint32_t rest = alike[ranks ^ top];
            uint32_t below = rest ? (2u << (31 - __builtin_clz(rest))) - 1 : 0;
            for (int seat = 0; seat < 3; seat++) {
                uint32_t own = (uint32_t)(hands[seat] >> (16 * suit) & LANE);
                uint32_t places = own & ~below;
                if (own & top)
                    alike[ranks] = (uint16_t)(rest | (places & (~places + 1)));
            }
        }
        first += lane + 1;
    }
}

/* How many cards of a hand lie from `bottom` up to where the next run of `bottoms` begins. */
static inline uint8_t run_size(uint64_t hand, uint64_t bottom, uint64_t higher_bottoms) {
    uint64_t run = hand & ~(bottom - 1);
    if (higher_bottoms)
        run &= lowest(higher_bottoms) - 1;
    uint8_t count = 1;
    for (run &= run - 1; run; run &= run - 1)
        count++;
    return count;
}

static inline uint64_t legal(uint64_t hand, uint64_t led) {
    uint64_t follow = hand & led;
    return follow ? follow : hand;
}

int sgm_tricks(const sgm_owners *owners, uint64_t key, const uint64_t played[2], sgm_way *ways) {
    int seats[3] = {leader_of(key), next_seat(leader_of(key)), next_seat(next_seat(leader_of(key)))};
    uint64_t live = key & ALL_LANES;
    uint64_t first = owners->hands[seats[0]] & live;
    uint64_t second = owners->hands[seats[1]] & live;
    uint64_t third = owners->hands[seats[2]] & live;
    uint64_t leads = run_bottoms(first, second | third);
    uint64_t second_bottoms = run_bottoms(second, first | third);
    sgm_way *way = ways;
    if (played[0])
        leads = played[0];
    while (leads) {
        uint64_t lead = lowest(leads);
        leads ^= lead;
        uint64_t led = lane_of_card(lead);
        uint64_t winning = led | owners->trump;
        uint64_t second_legal = legal(second, led);
        uint64_t answers = played[1] ? played[1] : second_bottoms & second_legal;
        uint64_t third_legal = legal(third, led);
        while (answers) {
            uint64_t answer = lowest(answers);
            answers ^= answer;
            int second_wins = (answer & winning) > lead;
            uint64_t best = second_wins ? answer : lead;
            uint64_t rest = live ^ lead ^ answer;
            /* Third hand's cards are kept apart by what is still held, and by the card to beat. */
            uint64_t lasts = run_bottoms(third, (rest & ~third) | best) & third_legal;
            while (lasts) {
                uint64_t last = lowest(lasts);
                lasts ^= last;
                int third_wins = (last & winning) > best;
                way->key = sgm_key(owners, rest ^ last, seats[third_wins ? 2 : second_wins]);
                way->third = run_size(third_legal, last, lasts);
                way->second = 0;
                way->lead = 0;
                way++;
            }
            way[-1].second = run_size(second_legal, answer, answers);
        }
        way[-1].lead = run_size(first, lead, leads);
    }
    return (int)(way - ways);
}
