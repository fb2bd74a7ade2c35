/* relative.c - fills the tables of relative.h, each entry from the one without its highest rank. */
#include "relative.h"

static int highest_rank(uint32_t ranks) {
    return 31 - __builtin_clz(ranks);
}

/* ranked[r]: the ranks of r from the top down, four bits each; their number in bits 56..59. */
void sgm_relative_init(sgm_relative *relative) {
    relative->ranked[0] = 0;
    for (uint32_t ranks = 1; ranks <= LANE; ranks++) {
        uint64_t top = (uint64_t)highest_rank(ranks);
        uint64_t rest = relative->ranked[ranks ^ (1u << top)];
        uint64_t listed = rest & ((UINT64_C(1) << 52) - 1);
        uint64_t count = (rest >> 56) + 1;
        relative->ranked[ranks] = ((listed << 4) & ((UINT64_C(1) << 52) - 1)) | top | count << 56;
    }
}

/* Written without branches, so that compilers fill two entries or more at once. */
static inline uint64_t with_top_card(uint64_t rest, uint64_t owner) {
    uint64_t holders = ((rest << HOLDER_BITS) & SUIT_HOLDERS) | owner;
    uint64_t lengths = (rest & (UINT64_C(0xFFF) << 32)) + (UINT64_C(1) << (32 + 4 * owner));
    uint64_t differs = (rest ^ owner) & 3;
    uint64_t same = ((differs | differs >> 1) & 1) - 1; /* all ones if the card below is the owner's too */
    uint64_t run = ((rest >> 44 & 15) & same) + 1;
    uint64_t pooled = owner == 0 ? 0 : (rest >> 48 & 15) + 1;
    return holders | lengths | run << 44 | pooled << 48;
}

static inline uint64_t place_with_top_card(uint64_t rest, uint64_t owner) {
    uint64_t counts = ((rest << COUNT_BITS) & SUIT_COUNTS) + (owner == 1 ? EACH_COUNT : 0);
    uint64_t sides = ((rest >> SIDES_SHIFT) << 1 | (owner != 0)) & LANE;
    return counts | sides << SIDES_SHIFT;
}

void sgm_relative_fill(sgm_relative *relative, const uint64_t hands[3]) {
    uint32_t first = 0;
    for (int suit = 0; suit < 4; suit++) {
        uint64_t *entries = relative->entries + first;
        uint64_t *places = relative->places + first;
        uint64_t lane = ((hands[0] | hands[1] | hands[2]) >> (16 * suit)) & LANE;
        uint32_t size = 1;
        relative->first[suit] = first;
        entries[0] = 0;
        places[0] = 0;
        for (; size <= lane; size *= 2) {
            uint64_t card = (uint64_t)size << (16 * suit);
            uint64_t owner = hands[1] & card ? 1 : hands[2] & card ? 2 : 0;
            for (uint32_t rest = 0; rest < size; rest++)
                entries[size + rest] = with_top_card(entries[rest], owner);
            for (uint32_t rest = 0; rest < size; rest++)
                places[size + rest] = place_with_top_card(places[rest], owner);
        }
        first += size;
    }
}
