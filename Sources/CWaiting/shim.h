// SPDX-License-Identifier: Apache-2.0
// Functions that Swift's own module of the C library leaves out: timers as descriptors, and the closing of a child's
// descriptors (glibc 2.34).
//
// These are our own declarations of the system's functions: with its headers `struct timespec` would be a type of this
// module, and no longer of the C library's, for everything that imports both.
#ifndef GATEHOUSE_WAITING_H
#define GATEHOUSE_WAITING_H
#ifdef __linux__
// `struct itimerspec`
struct waiting_time { long interval_seconds, interval_nanoseconds, seconds, nanoseconds; };
int waiting_timer(int clock, int flags) __asm__("timerfd_create");
int waiting_timer_set(int file, int flags, const struct waiting_time *time, struct waiting_time *old)
    __asm__("timerfd_settime");
int waiting_timer_left(int file, struct waiting_time *time) __asm__("timerfd_gettime");
// `actions` is a `posix_spawn_file_actions_t`.
int waiting_close_from(void *actions, int first) __asm__("posix_spawn_file_actions_addclosefrom_np");
#endif
#endif
