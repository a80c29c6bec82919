// SPDX-License-Identifier: Apache-2.0
#include <argon2.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

// Returns the unused memory of the C library's allocator to the system, where it has a call for that.
static inline void argon2_trim_allocator(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
