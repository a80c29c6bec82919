// SPDX-License-Identifier: Apache-2.0
// Argon2id verifications a second on this machine with so many threads.
// Usage: argon2_rate MEMORY_KIB ITERATIONS PARALLELISM THREADS SECONDS
#include <argon2.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static unsigned memory, iterations, lanes;
static double end_time;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void *work(void *count) {
    unsigned char hash[32];
    while (now() < end_time) {
        if (argon2id_hash_raw(iterations, memory, lanes, "correct horse battery", 21,
                              "0123456789abcdef", 16, hash, sizeof hash) != ARGON2_OK)
            exit(1);
        ++*(long *)count;
    }
    return NULL;
}

int main(int argc, char **argv) {
    if (argc != 6) return 2;
    memory = (unsigned)atoi(argv[1]);
    iterations = (unsigned)atoi(argv[2]);
    lanes = (unsigned)atoi(argv[3]);
    int threads = atoi(argv[4]);
    if (threads < 1 || threads > 64) return 2;
    pthread_t ids[64];
    long counts[64] = {0}, total = 0;
    double start = now();
    end_time = start + atof(argv[5]);
    for (int i = 0; i < threads; i++) pthread_create(&ids[i], NULL, work, &counts[i]);
    for (int i = 0; i < threads; i++) {
        pthread_join(ids[i], NULL);
        total += counts[i];
    }
    printf("%.2f\n", (double)total / (now() - start));
    return 0;
}
