/* moves.c - order by place in the trick.
 *
 * A score for each card says how likely it is to be the one that settles the question; the order changes the
 * work, never the answer. The weights were found by hill climbing on the number of cards played (see
 * docs/performance.md); a row is a seat: 0 alone, 1 and 2 against it.
 */
#include "moves.h"

typedef struct {
    int wins;         /* nobody against it can beat the card */
    int mate_wins;    /* ... but the mate beats what they have */
    int ruffed_top;   /* the top card of its suit, and yet it may be beaten */
    int rank_winning; /* for each rank, if the card or not even the mate wins */
    int rank_losing;
    int under_top; /* a lower card of a suit whose top card the seat holds */
    int second;    /* the second best card, the best being another's */
    int sequence;  /* the next lower card is the seat's, too */
    int trump;
    int own_length; /* for each card that the seat has of the suit */
    int single;     /* the only one */
    int foe_length; /* for each card that the longer of those against it has */
    int foe_ruffs;  /* one of them may ruff */
    int mate_ruffs;
} lead_weights;

typedef struct {
    int side_wins;    /* the seat's side takes the trick if the rest play to win it */
    int beats;        /* the card beats what is on the table */
    int rank_winning; /* for each rank: the card takes the trick */
    int rank_losing;  /* ... the other side does, or the card is thrown away */
    int rank_mate;    /* ... the mate does */
    int ruff;
    int length;  /* thrown away: for each card that the seat has of the suit */
    int own_top; /* thrown away from under the suit's best card */
    int foe_top; /* thrown away from a suit whose best card is against it */
} follow_weights;

static const lead_weights lead[3] = {
    {.wins = 2,
     .mate_wins = -2,
     .rank_winning = 2,
     .rank_losing = 2,
     .under_top = -200,
     .second = 1,
     .sequence = 3,
     .trump = 11,
     .own_length = 18,
     .single = -180,
     .foe_length = -33,
     .foe_ruffs = -95,
     .mate_ruffs = 6},
    {.wins = 55,
     .mate_wins = 56,
     .ruffed_top = 5,
     .rank_winning = -2,
     .rank_losing = 1,
     .under_top = 19,
     .second = 20,
     .sequence = 20,
     .trump = -7,
     .own_length = -1,
     .single = -16,
     .foe_length = -25,
     .foe_ruffs = -211,
     .mate_ruffs = -28},
    {.wins = 14,
     .mate_wins = 24,
     .ruffed_top = -9,
     .rank_losing = 1,
     .under_top = -6,
     .second = -1,
     .sequence = -3,
     .trump = -40,
     .own_length = 6,
     .single = -1,
     .foe_length = -7,
     .foe_ruffs = -56,
     .mate_ruffs = -23},
};

/* [second hand, third hand][seat] */
static const follow_weights follow[2][3] = {
    {
        {.side_wins = 11,
         .beats = 72,
         .rank_losing = -3,
         .rank_mate = -2,
         .ruff = 35,
         .length = 2,
         .own_top = 3,
         .foe_top = -2},
        {.side_wins = 43,
         .beats = 8,
         .rank_winning = -1,
         .rank_losing = -1,
         .rank_mate = -1,
         .ruff = -22,
         .length = -2,
         .foe_top = 6},
        {.side_wins = 45,
         .beats = 14,
         .rank_winning = -2,
         .rank_losing = -119,
         .rank_mate = -5,
         .ruff = 1,
         .length = -7,
         .own_top = 1,
         .foe_top = -81},
    },
    {
        {.side_wins = 98,
         .beats = 4,
         .rank_winning = -2,
         .rank_losing = -26,
         .rank_mate = -4,
         .ruff = 36,
         .length = 11,
         .own_top = 9,
         .foe_top = -15},
        {.side_wins = 83,
         .beats = 2,
         .rank_losing = -4,
         .rank_mate = -37,
         .ruff = -63,
         .length = -3,
         .own_top = -3,
         .foe_top = 5},
        {.side_wins = 48,
         .beats = -1,
         .rank_winning = -4,
         .rank_losing = -40,
         .rank_mate = -35,
         .ruff = 10,
         .length = -2,
         .own_top = -2,
         .foe_top = 10},
    },
};

static int rank_of(uint64_t card) {
    return __builtin_ctzll(card) & 15;
}

/* The best card with which a hand can meet a lead of a suit: its highest, else its highest trump, else 0. */
static uint64_t reach(uint64_t hand, uint64_t lane, uint64_t trump) {
    uint64_t can_win = hand & lane ? hand & lane : hand & trump;
    return can_win ? highest(can_win) : 0;
}

/* What is the same for all leads of one suit. */
typedef struct {
    uint64_t lane;
    uint64_t top;    /* the suit's best live card */
    uint64_t second; /* the suit's second best live card, if the best is not the leader's */
    uint64_t foes;   /* the best card that a seat against the leader can put on it */
    uint64_t mate;   /* the same for the mate */
    int score;
} suit_lead;

static suit_lead judge_suit(const sgm_search *search, const sgm_node *node, const sgm_moves *moves,
                            int suit) {
    const lead_weights *weights = &lead[moves->seat];
    uint64_t lane = lane_of_suit(suit);
    uint64_t live = node->live & lane;
    uint64_t entry = relative_suit(&search->relative, node->live, suit);
    int own = length_of(entry, moves->seat);
    int is_trump = lane == search->trump;
    suit_lead result = {lane, highest(live), 0, 0, 0, 0};
    int foe_length = 0;
    int foe_ruffs = 0;
    for (int seat = 0; seat < 3; seat++) {
        if (seat == moves->seat)
            continue;
        uint64_t hand = search->hands[seat] & node->live;
        uint64_t best = reach(hand, lane, search->trump);
        if (seat && moves->seat) {
            result.mate = best;
            if (best && !(best & lane))
                result.score += weights->mate_ruffs;
            continue;
        }
        if (best > result.foes)
            result.foes = best;
        int length = length_of(entry, seat);
        if (length > foe_length)
            foe_length = length;
        foe_ruffs |= best && !(best & lane);
    }
    if (!(result.top & moves->hand) && live != result.top)
        result.second = highest(live ^ result.top);
    result.score += weights->own_length * own + weights->foe_length * foe_length;
    result.score += (own == 1) * weights->single + foe_ruffs * weights->foe_ruffs + is_trump * weights->trump;
    return result;
}

static int score_lead(const sgm_node *node, const sgm_moves *moves, const suit_lead *suit, uint64_t card) {
    const lead_weights *weights = &lead[moves->seat];
    int score = suit->score;
    if (card > suit->foes)
        score += weights->wins + weights->rank_winning * rank_of(card);
    else
        score += weights->rank_losing * rank_of(card) + (suit->mate > suit->foes ? weights->mate_wins : 0);
    if (card == suit->top)
        score += card > suit->foes || suit->mate > suit->foes ? 0 : weights->ruffed_top;
    else if (suit->top & moves->hand)
        score += weights->under_top;
    if (card == suit->second)
        score += weights->second;
    uint64_t lower = node->live & suit->lane & (card - 1);
    if (lower && (highest(lower) & moves->hand))
        score += weights->sequence;
    return score;
}

static int score_discard(const sgm_search *search, const sgm_node *node, const sgm_moves *moves,
                         uint64_t card) {
    const follow_weights *weights = &follow[node->count - 1][moves->seat];
    int suit = suit_of_card(card);
    uint64_t entry = relative_suit(&search->relative, node->live, suit);
    int score = weights->rank_losing * rank_of(card) + weights->length * length_of(entry, moves->seat);
    if (top_holder(entry) == moves->seat)
        return score + weights->own_top;
    return score + (moves->seat == 0 || top_holder(entry) == 0 ? weights->foe_top : 0);
}

/* last: the best card that third hand can still put on the trick; 0 for third hand itself. */
static int score_follow(const sgm_search *search, const sgm_node *node, const sgm_moves *moves, uint64_t last,
                        uint64_t card) {
    const follow_weights *weights = &follow[node->count - 1][moves->seat];
    int mate_leads = moves->seat && moves->best_seat;
    int third_is_mate = moves->seat == 1;
    int beats = (card & moves->ranked) > moves->best;
    int last_beats = last > (beats ? card : moves->best);
    int mate_wins = last_beats ? third_is_mate : mate_leads && !beats;
    int side_wins = mate_wins || (beats && !last_beats);
    int score = side_wins * weights->side_wins + beats * weights->beats;
    if (!(card & moves->ranked))
        return score + score_discard(search, node, moves, card);
    if (!(card & lane_of_card(node->trick[0])))
        score += weights->ruff;
    int rank_weight = mate_wins   ? weights->rank_mate
                      : side_wins ? weights->rank_winning
                                  : weights->rank_losing;
    return score + rank_weight * rank_of(card);
}

/* Inserts a card behind those with a higher or the same score. */
static void insert(sgm_moves *moves, int scores[SGM_MAX_MOVES], uint64_t card, int score) {
    int place = moves->count++;
    for (; place > 0 && scores[place - 1] < score; place--) {
        scores[place] = scores[place - 1];
        moves->cards[place] = moves->cards[place - 1];
    }
    scores[place] = score;
    moves->cards[place] = card;
}

/* Seat 0 leads the top of a run of equals, which leaves the most ranks open in what is proven; seats 1 and 2 lead
 * the lowest, below which a mark can end their block. Cards that win the trick so far stand for their run by its
 * top, others by its lowest. */
static void list_leads(const sgm_search *search, const sgm_node *node, sgm_moves *moves) {
    int scores[SGM_MAX_MOVES];
    uint64_t bottoms = run_bottoms(moves->hand, moves->others);
    for (int suit = 0; suit < 4; suit++) {
        uint64_t left = bottoms & lane_of_suit(suit);
        if (!left)
            continue;
        suit_lead judged = judge_suit(search, node, moves, suit);
        for (; left; left &= left - 1) {
            uint64_t card = moves->seat ? lowest(left) : run_top(lowest(left), moves->hand, moves->others);
            insert(moves, scores, card, score_lead(node, moves, &judged, card));
        }
    }
}

/* Third hand following suit: takes the trick as cheaply as it can, else gives its lowest card. */
static void list_third_hand(uint64_t left, sgm_moves *moves) {
    int mate_leads = moves->seat && moves->best_seat;
    uint64_t winners = left & above(moves->best);
    uint64_t losers = left ^ winners;
    if (mate_leads) {
        for (; losers; losers &= losers - 1)
            moves->cards[moves->count++] = lowest(losers);
    }
    for (; winners; winners &= winners - 1)
        moves->cards[moves->count++] = run_top(lowest(winners), moves->hand, moves->others);
    for (; losers; losers &= losers - 1)
        moves->cards[moves->count++] = lowest(losers);
}

static void list_follows(const sgm_search *search, const sgm_node *node, sgm_moves *moves) {
    int scores[SGM_MAX_MOVES];
    uint64_t led = lane_of_card(node->trick[0]);
    uint64_t legal = moves->hand & led ? led : ALL_LANES;
    uint64_t left = run_bottoms(moves->hand, moves->others) & legal;
    if (!(left & (left - 1))) {
        moves->count = 1;
        moves->cards[0] =
            (left & moves->ranked) > moves->best ? run_top(left, moves->hand, moves->others) : left;
        return;
    }
    if (node->count == 2 && legal == led) {
        list_third_hand(left, moves);
        return;
    }
    uint64_t third = search->hands[next_seat(moves->seat)] & node->live;
    uint64_t last = node->count == 1 ? reach(third, led, search->trump) : 0;
    for (; left; left &= left - 1) {
        uint64_t card = lowest(left);
        if ((card & moves->ranked) > moves->best)
            card = run_top(card, moves->hand, moves->others);
        insert(moves, scores, card, score_follow(search, node, moves, last, card));
    }
}

void sgm_moves_generate(const sgm_search *search, const sgm_node *node, sgm_moves *moves) {
    int seat = node->leader;
    moves->count = 0;
    moves->ranked = 0;
    moves->best = 0;
    moves->best_seat = seat;
    if (node->count) {
        seat = next_seat(seat);
        moves->ranked = search->trump | lane_of_card(node->trick[0]);
        moves->best = node->trick[0];
    }
    if (node->count == 2) {
        if ((node->trick[1] & moves->ranked) > moves->best) {
            moves->best = node->trick[1];
            moves->best_seat = seat;
        }
        seat = next_seat(seat);
    }
    moves->seat = seat;
    moves->hand = search->hands[seat] & node->live;
    moves->others = (node->live & ~moves->hand) | moves->best;
    if (node->count)
        list_follows(search, node, moves);
    else
        list_leads(search, node, moves);
}
