// SPDX-License-Identifier: Apache-2.0
// Linked into the tests alone: the program's own malloc goes before that of the C library, for
// every library that the program loads. It counts, and hands on.
#include "AllocationCounter.h"

#include <stddef.h>
#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_SANITIZER
#endif
#endif

#if defined(__GLIBC__) && !defined(HAS_SANITIZER)

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *pointer, size_t size);

static __thread long allocations;

void *malloc(size_t size) {
    allocations += 1;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    allocations += 1;
    return __libc_calloc(count, size);
}

void *realloc(void *pointer, size_t size) {
    allocations += 1;
    return __libc_realloc(pointer, size);
}

bool allocations_are_counted(void) { return true; }
long allocations_of_this_thread(void) { return allocations; }

#else

bool allocations_are_counted(void) { return false; }
long allocations_of_this_thread(void) { return 0; }

#endif
