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

static uint64_t with_top_card(uint64_t rest, unsigned owner) {
    uint64_t holders = ((rest << HOLDER_BITS) & SUIT_HOLDERS) | owner;
    uint64_t lengths = (rest & (UINT64_C(0xFFF) << 32)) + (UINT64_C(1) << (32 + 4 * owner));
    int empty = (rest >> 32 & 0xFFF) == 0;
    uint64_t run = !empty && (rest & 3) == owner ? (uint64_t)top_run(rest) + 1 : 1;
    uint64_t pooled = owner == 0 ? 0 : (uint64_t)pooled_run(rest) + 1;
    return holders | lengths | run << 44 | pooled << 48;
}

void sgm_relative_fill(sgm_relative *relative, const uint64_t hands[3], uint64_t dead) {
    uint64_t *entries = relative->entries;
    for (int suit = 0; suit < 4; suit++) {
        uint64_t lane = ((hands[0] | hands[1] | hands[2] | dead) >> (16 * suit)) & LANE;
        relative->suits[suit] = entries;
        entries[0] = 0;
        for (uint32_t ranks = 1; ranks <= lane; ranks++) {
            int top = highest_rank(ranks);
            uint64_t card = UINT64_C(1) << (16 * suit + top);
            unsigned owner = hands[1] & card ? 1 : hands[2] & card ? 2 : 0;
            entries[ranks] = with_top_card(entries[ranks ^ (1u << top)], owner);
        }
        entries += lane + 1;
    }
}
