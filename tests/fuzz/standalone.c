/* standalone.c - runs a libFuzzer target where there is no libFuzzer.
 *
 *   fuzz SECONDS SEED file ...    replays the files, then mutates them at random for that long
 *
 * An input that makes the target abort is left in the file crash-input.
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_INPUT 256
#define MAX_FILES 4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct {
    uint8_t data[MAX_INPUT];
    size_t size;
} input;

static input corpus[MAX_FILES];
static int corpus_size;
static input now;
static uint64_t state;

static uint32_t below(uint32_t limit) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 32) % limit;
}

static void save_and_die(int number) {
    FILE *file = fopen("crash-input", "wb");
    if (file) {
        fwrite(now.data, 1, now.size, file);
        fclose(file);
    }
    signal(number, SIG_DFL);
    raise(number);
}

static void run(void) {
    LLVMFuzzerTestOneInput(now.data, now.size);
}

static int read_input(const char *name) {
    FILE *file = fopen(name, "rb");
    if (!file || corpus_size == MAX_FILES)
        return 0;
    input *item = &corpus[corpus_size++];
    item->size = fread(item->data, 1, MAX_INPUT, file);
    fclose(file);
    return 1;
}

/* Changes a few bytes of an input, cuts it, or joins it with another. */
static void mutate(void) {
    now = corpus[below((uint32_t)corpus_size)];
    for (uint32_t i = below(4) + 1; i; i--) {
        if (now.size < MAX_INPUT && below(4) == 0)
            now.data[now.size++] = (uint8_t)below(256);
        if (now.size && below(8) == 0)
            now.size = below((uint32_t)now.size) + 1;
        if (now.size)
            now.data[below((uint32_t)now.size)] = (uint8_t)(below(2) ? below(256) : below(20));
    }
    if (below(4) == 0) {
        const input *other = &corpus[below((uint32_t)corpus_size)];
        for (size_t i = below(MAX_INPUT); i < other->size && i < now.size; i++)
            now.data[i] = other->data[i];
    }
}

int main(int argc, char **argv) {
    if (argc < 4)
        return 2;
    time_t end = time(NULL) + atol(argv[1]);
    state = strtoull(argv[2], NULL, 10) * 2 + UINT64_C(0x9E3779B97F4A7C15);
    signal(SIGABRT, save_and_die);
    for (int i = 3; i < argc; i++) {
        if (!read_input(argv[i]))
            return 2;
        now = corpus[corpus_size - 1];
        run();
    }
    long runs = 0;
    for (; time(NULL) < end; runs++) {
        mutate();
        run();
    }
    printf("%d files replayed, %ld mutations, seed %s\n", corpus_size, runs, argv[2]);
    return 0;
}
