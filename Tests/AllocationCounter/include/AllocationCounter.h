// SPDX-License-Identifier: Apache-2.0
#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdbool.h>

/// Whether allocations are counted: with glibc, and without a sanitizer, which has an allocator
/// of its own.
bool allocations_are_counted(void);

/// How often this thread has asked for memory since it began.
long allocations_of_this_thread(void);

#endif
