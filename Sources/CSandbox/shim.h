// SPDX-License-Identifier: Apache-2.0
// What Linux takes from a thread or a process, behind functions that Swift can call: the system's own
// take any number of arguments. Each answers 0 or more, or the negative of what went wrong.
#ifndef GATEHOUSE_SANDBOX_H
#define GATEHOUSE_SANDBOX_H
#ifdef __linux__
#include <errno.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

// prctl(2) with one argument.
static inline int sandbox_control(int option, unsigned long argument) {
    long outcome = syscall(__NR_prctl, option, argument, 0UL, 0UL, 0UL);
    return outcome >= 0 ? (int)outcome : -errno;
}

// seccomp(2): a filter for this thread and whatever it starts.
static inline int sandbox_install(const struct sock_filter *program, unsigned short length) {
    struct sock_fprog filter = {length, (struct sock_filter *)program};
    return syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0UL, &filter) == 0 ? 0 : -errno;
}

// capset(2): nothing of what this thread may do is inherited.
static inline int sandbox_bequeath_nothing(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
    if (syscall(__NR_capget, &header, data) != 0) return -errno;
    for (int i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) data[i].inheritable = 0;
    return syscall(__NR_capset, &header, data) == 0 ? 0 : -errno;
}

// A process group with nobody in it: its leader has ended, or is about to, and its number stays taken
// until somebody waits for it. The child calls the kernel and nothing else, as it must where there are
// threads. 0 is the kernel's own word for the caller.
static inline int sandbox_make_group(void) {
    long pid = syscall(__NR_clone, (unsigned long)SIGCHLD, 0UL, 0UL, 0UL, 0UL);
    if (pid == 0) {
        syscall(__NR_setpgid, 0, 0);
        syscall(__NR_exit_group, 0);
    }
    if (pid < 0) return -errno;
    // Whichever comes first; the other finds it done.
    if (syscall(__NR_setpgid, pid, pid) != 0 && errno != ESRCH && errno != EACCES) return -errno;
    return (int)pid;
}

static const int SANDBOX_LIMIT_CORE = RLIMIT_CORE, SANDBOX_LIMIT_FILES = RLIMIT_NOFILE,
                 SANDBOX_LIMIT_DATA = RLIMIT_DATA;

// prlimit(2): at most so much, or less where it was less.
static inline int sandbox_limit(int pid, int resource, uint64_t most) {
    struct { uint64_t soft, hard; } limit;
    if (syscall(__NR_prlimit64, pid, resource, (void *)0, &limit) != 0) return -errno;
    if (limit.hard > most) limit.hard = most;
    if (limit.soft > limit.hard) limit.soft = limit.hard;
    return syscall(__NR_prlimit64, pid, resource, &limit, (void *)0) == 0 ? 0 : -errno;
}
#endif
#endif
