// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
    package import CSandbox
    import Platform

    /// The system calls that the kernel refuses to an extension: access to other processes, mounts,
    /// name spaces, kernel modules, the clock, input into the agent's terminal. A program that
    /// communicates with a provider does not need them.
    ///
    /// The list contains refused calls, as in container engines, and not allowed ones. The
    /// extension is a third-party program and must run with future C libraries.
    package enum SystemCallFilter {
        /// Refused with `EPERM`.
        package static let refused: [Int32] = [
            // Other processes
            __NR_ptrace, __NR_process_vm_readv, __NR_process_vm_writev, __NR_kcmp,
            __NR_pidfd_getfd, __NR_setns, __NR_unshare, __NR_setsid,
            // The file system as a whole
            __NR_mount, __NR_umount2, __NR_pivot_root, __NR_chroot, __NR_open_tree,
            __NR_move_mount, __NR_fsopen, __NR_fsconfig, __NR_fsmount, __NR_fspick,
            __NR_mount_setattr, __NR_open_by_handle_at, __NR_quotactl, __NR_swapon, __NR_swapoff,
            // The kernel
            __NR_init_module, __NR_finit_module, __NR_delete_module, __NR_kexec_load, __NR_bpf,
            __NR_perf_event_open, __NR_userfaultfd, __NR_io_uring_setup, __NR_personality,
            __NR_acct, __NR_syslog, __NR_reboot,
            // Its keys
            __NR_add_key, __NR_request_key, __NR_keyctl,
            // The system
            __NR_settimeofday, __NR_clock_settime, __NR_clock_adjtime, __NR_adjtimex,
            __NR_sethostname, __NR_setdomainname,
        ]

        /// `CLONE_NEW…` of clone(2).
        private static let nameSpaces: Int32 = 0x7E02_0000
        #if arch(x86_64)
            private static let machine: UInt32 = 0xC000_003E
        #else
            private static let machine: UInt32 = 0xC000_00B7
        #endif
        /// The numbers of the x32 interface, which duplicate those of x86-64.
        private static let secondNumbers: Int32 = 0x4000_0000

        private static let allow: UInt32 = 0x7FFF_0000
        private static let permission: UInt32 = 0x0005_0000 | UInt32(Errno.notPermitted.rawValue)
        /// For a call whose arguments cannot be seen; C libraries then take the older one.
        private static let absent: UInt32 = 0x0005_0000 | UInt32(Errno.notImplemented.rawValue)

        /// Requests of ioctl(2): `TIOCSTI` simulates terminal input, `TIOCLINUX` pastes.
        private static let typing: [Int32] = [0x5412, 0x541C]

        /// The offsets in `struct seccomp_data`; of arguments, the significant lower half.
        private enum Field: UInt32 {
            case number = 0
            case machine = 4
            case firstArgument = 16
            case secondArgument = 24
        }

        /// Reported as successful, and not executed.
        private static let pretended: UInt32 = 0x0005_0000

        /// Returns the filter program (seccomp(2)): the list, `clone` and its flags, `setpgid` and
        /// its group, `ioctl` and its requests, then the four results.
        ///
        /// - Parameter group: The inescapable process group, so that one signal ends all its
        ///   processes. Programs that put their children into groups, as shells and Foundation's
        ///   `Process` do, get a success without effect.
        package static func program(group: Int32) -> [sock_filter] {
            let groups = 4 + refused.count + 4
            let requests = groups + 3
            let allowed = requests + 2 + typing.count
            let (denied, missing, unmoved) = (allowed + 1, allowed + 2, allowed + 3)
            var steps: [sock_filter] = []
            /// Appends a jump. Without a target it continues with the next step.
            func jump(_ test: UInt16, _ value: Int32, to yes: Int? = nil, else no: Int? = nil) {
                let next = steps.count + 1
                steps.append(
                    sock_filter(
                        code: test, jt: UInt8(clamping: (yes ?? next) - next),
                        jf: UInt8(clamping: (no ?? next) - next), k: UInt32(bitPattern: value)))
            }
            steps.append(load(.machine))
            jump(equal, Int32(bitPattern: machine), else: missing)
            steps.append(load(.number))
            jump(atLeast, secondNumbers, to: denied)
            for number in refused { jump(equal, number, to: denied) }
            jump(equal, __NR_clone3, to: missing)
            jump(equal, __NR_clone, else: groups)
            steps.append(load(.firstArgument))
            jump(anyBit, nameSpaces, to: denied, else: allowed)
            jump(equal, __NR_setpgid, else: requests)
            steps.append(load(.secondArgument))
            jump(equal, group, to: allowed, else: unmoved)
            jump(equal, __NR_ioctl, else: allowed)
            steps.append(load(.secondArgument))
            for request in typing { jump(equal, request, to: denied) }
            for answer in [allow, permission, absent, pretended] {
                steps.append(sock_filter(code: answerWith, jt: 0, jf: 0, k: answer))
            }
            return steps
        }

        // BPF_JMP | … | BPF_K, BPF_RET | BPF_K, BPF_LD | BPF_W | BPF_ABS (linux/bpf_common.h)
        private static let equal: UInt16 = 0x15
        private static let atLeast: UInt16 = 0x35
        private static let anyBit: UInt16 = 0x45
        private static let answerWith: UInt16 = 0x06

        private static func load(_ field: Field) -> sock_filter {
            sock_filter(code: 0x20, jt: 0, jf: 0, k: field.rawValue)
        }
    }
#endif
