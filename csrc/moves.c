/* moves.c - order by place in the trick. */
#include "moves.h"

static uint64_t winning_trick_card(const sgm_search *search, const sgm_node *node) {
    uint64_t best = node->trick[0];
    if (node->count == 2 && (node->trick[1] & (search->trump | lane_of_card(best))) > best)
        best = node->trick[1];
    return best;
}

static int rank_of(uint64_t card) {
    return __builtin_ctzll(card) & 15;
}

/* A lead: top cards of a suit first, then low cards towards them. */
static int lead_score(const sgm_search *search, const sgm_node *node, int seat, uint64_t card) {
    uint64_t lane = lane_of_card(card);
    uint64_t top = highest(node->live & lane);
    int partner = seat == 0 ? 0 : 3 - seat;
    int score = 0;
    if (top & search->hands[seat])
        score = (card & above(top >> 1)) || card == top ? 60 : 20;
    else if (seat && (top & search->hands[partner]))
        score = 40 - rank_of(card);
    else
        score = 10 - rank_of(card);
    return score;
}

static int follow_score(const sgm_search *search, const sgm_node *node, int seat, uint64_t card) {
    uint64_t best = winning_trick_card(search, node);
    uint64_t ranked = search->trump | lane_of_card(node->trick[0]);
    int best_seat = best == node->trick[0] ? node->leader : next_seat(node->leader);
    int mine = best_seat == seat || (seat && best_seat);
    int beats = (card & ranked) > best;
    int rank = rank_of(card);
    if (node->count == 2) {
        if (mine)
            return beats ? -rank : 20 - rank;
        return beats ? 40 - rank : -rank;
    }
    uint64_t last_hand = search->hands[next_seat(seat)] & node->live;
    uint64_t led = last_hand & lane_of_card(node->trick[0]);
    uint64_t can_play = led ? led : last_hand & ranked;
    uint64_t reach = can_play & ranked;
    uint64_t last_best = reach ? highest(reach) : 0;
    int last_friend = seat && next_seat(seat);
    uint64_t now = beats ? card : best;
    int now_mine = beats || mine;
    int final_mine = last_best > now ? last_friend : now_mine;
    int score = final_mine ? 40 : 0;
    if (last_best > now && last_friend)
        return score - rank + 5;
    return score - rank - (beats && !final_mine ? 5 : 0);
}

void sgm_moves_generate(const sgm_search *search, const sgm_node *node, int seat, sgm_moves *moves) {
    uint64_t hand = search->hands[seat] & node->live;
    uint64_t others = node->live & ~hand;
    uint64_t legal = hand;
    uint64_t best = 0;
    uint64_t ranked = 0;
    if (node->count) {
        best = winning_trick_card(search, node);
        ranked = search->trump | lane_of_card(node->trick[0]);
        others |= winning_trick_card(search, node);
        uint64_t follow = hand & lane_of_card(node->trick[0]);
        if (follow)
            legal = follow;
    }
    moves->hand = hand;
    moves->others = others;
    moves->count = 0;
    int scores[SGM_MAX_MOVES];
    for (uint64_t left = run_bottoms(hand, others) & legal; left; left &= left - 1) {
        uint64_t card = lowest(left);
        uint64_t top = run_top(card, hand, others);
        if (!node->count || (card & ranked) > best)
            card = top;
        int score = node->count ? follow_score(search, node, seat, card) : lead_score(search, node, seat, card);
        int place = moves->count++;
        for (; place > 0 && scores[place - 1] < score; place--) {
            scores[place] = scores[place - 1];
            moves->cards[place] = moves->cards[place - 1];
        }
        scores[place] = score;
        moves->cards[place] = card;
    }
}
