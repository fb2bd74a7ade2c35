/* position.c - checks a position and turns it for the searches. */
#include "position.h"

#include "cards.h"

uint64_t sgm_trick_start(const sgm_position *position, uint64_t owned[3]) {
    uint64_t played = 0;
    for (int seat = 0; seat < 3; seat++)
        owned[seat] = position->hands[seat];
    for (int i = 0; i < position->trick_count; i++) {
        uint64_t card = UINT64_C(1) << position->trick[i];
        owned[(position->leader + i) % 3] |= card;
        played |= card;
    }
    return played;
}

int sgm_tricks_left(const sgm_position *position) {
    return count_cards(position->hands[(int)position->leader]) + (position->trick_count > 0);
}

static sgm_status check_trick(const sgm_position *position) {
    if (position->trick_count < 0 || position->trick_count > 2)
        return SGM_ERR_TRICK;
    uint64_t held = position->hands[0] | position->hands[1] | position->hands[2];
    uint64_t played = 0;
    for (int i = 0; i < position->trick_count; i++) {
        int number = position->trick[i];
        if (number >= 64 || !(ALL_LANES >> number & 1))
            return SGM_ERR_CARD;
        uint64_t card = UINT64_C(1) << number;
        if (card & (held | played))
            return SGM_ERR_DUPLICATE;
        played |= card;
    }
    if (position->trick_count == 2) {
        uint64_t led = lane_of_suit(position->trick[0] >> 4);
        uint64_t second = position->hands[(position->leader + 1) % 3];
        if (position->trick[0] >> 4 != position->trick[1] >> 4 && (second & led))
            return SGM_ERR_TRICK;
    }
    return SGM_OK;
}

static sgm_status check_sizes(const sgm_position *position) {
    int tricks = sgm_tricks_left(position);
    if (tricks > SGM_MAX_TRICKS)
        return SGM_ERR_SIZE;
    for (int place = 0; place < 3; place++) {
        int seat = (position->leader + place) % 3;
        if (count_cards(position->hands[seat]) != tricks - (place < position->trick_count))
            return SGM_ERR_SIZE;
    }
    return SGM_OK;
}

sgm_status sgm_check(const sgm_position *position) {
    if (!position)
        return SGM_ERR_NULL;
    if (position->leader < 0 || position->leader > 2)
        return SGM_ERR_SEAT;
    if (position->trump < 0 || position->trump > SGM_NO_TRUMP)
        return SGM_ERR_TRUMP;
    const uint64_t *hands = position->hands;
    if ((hands[0] | hands[1] | hands[2]) & ~ALL_LANES)
        return SGM_ERR_CARD;
    if ((hands[0] & hands[1]) | (hands[0] & hands[2]) | (hands[1] & hands[2]))
        return SGM_ERR_DUPLICATE;
    sgm_status status = check_trick(position);
    return status == SGM_OK ? check_sizes(position) : status;
}

/* The suit that stands in lane `lane` of the search: the trump suit in lane 3, the others in order. */
static int suit_in_lane(int trump, int lane) {
    if (trump == SGM_NO_TRUMP)
        return lane;
    if (lane == 3)
        return trump;
    return lane < trump ? lane : lane + 1;
}

/* Moves the ranks of `cards` to the places that the ranks of `all` have when packed. */
static uint64_t packed(uint64_t cards, uint64_t all) {
    uint64_t result = 0;
    for (int place = 0; all; all &= all - 1, place++) {
        if (cards & lowest(all))
            result |= UINT64_C(1) << place;
    }
    return result;
}

uint64_t sgm_normalised(uint64_t cards, uint64_t all, int trump) {
    uint64_t result = 0;
    for (int lane = 0; lane < 4; lane++) {
        int shift = 16 * suit_in_lane(trump, lane);
        result |= packed(cards >> shift & LANE, all >> shift & LANE) << (16 * lane);
    }
    return result;
}
