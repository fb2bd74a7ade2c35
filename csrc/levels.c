/* levels.c - see levels.h. */
#define _DEFAULT_SOURCE /* for madvise */
#include "levels.h"

#include <stdlib.h>

#ifdef __linux__
#include <sys/mman.h>
#endif

#define HUGE_PAGE (UINT64_C(2) << 20)

/* Asks for large pages in the inside of a block: look-ups are all over it. */
static void *with_large_pages(void *block, uint64_t size) {
#ifdef MADV_HUGEPAGE
    uintptr_t start = ((uintptr_t)block + HUGE_PAGE - 1) & ~(uintptr_t)(HUGE_PAGE - 1);
    uintptr_t end = ((uintptr_t)block + size) & ~(uintptr_t)(HUGE_PAGE - 1);
    if (block && start < end)
        madvise((void *)start, end - start, MADV_HUGEPAGE);
#else
    (void)size;
#endif
    return block;
}

/* Makes an empty level. Returns 0 if the system refuses the memory. */
static int init(sgm_level *level, uint32_t slots) {
    *level = (sgm_level){.slots = slots};
    uint64_t size = (slots + UINT64_C(2)) * sizeof *level->keys;
    if (size > SIZE_MAX)
        return 0;
    level->keys = with_large_pages(calloc(1, (size_t)size), size);
    return level->keys != NULL;
}

void sgm_level_free(sgm_level *level) {
    free((void *)level->keys);
    free(level->values);
    *level = (sgm_level){0};
}

int sgm_level_resize(sgm_level *level, uint32_t slots, const atomic_int *stop) {
    sgm_level larger;
    if (!init(&larger, slots))
        return 0;
    larger.count = level->count;
    for (uint32_t slot = 0; slot < level->slots; slot++) {
        if (!(slot & 0xFFFF) && atomic_load_explicit(stop, memory_order_relaxed)) {
            sgm_level_free(&larger);
            return 0;
        }
        uint64_t key = sgm_key_at(level, slot);
        if (key)
            sgm_level_insert(&larger, key, sgm_home(&larger, live_of(key)));
    }
    sgm_level_free(level);
    *level = larger;
    return 1;
}

int sgm_level_add_values(sgm_level *level) {
    uint64_t size = (uint64_t)level->slots * sizeof *level->values;
    if (size > SIZE_MAX)
        return 0;
    level->values = with_large_pages(malloc((size_t)size), size);
    return level->values != NULL;
}
