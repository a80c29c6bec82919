// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
    import CSandbox

    #if canImport(Glibc)
        import Glibc
    #else
        import Musl
    #endif

    /// What an extension's process is kept from. It has the agent's account and files, and none of the
    /// privileges that come with being root.
    enum ExtensionSandbox {
        /// Takes from the calling thread, and from whatever it starts, every capability, every way to
        /// get one, and the calls of ``SystemCallFilter``. There is no way back: the thread must end.
        ///
        /// - Parameter group: That of whatever the thread starts, and of all that comes of it.
        static func enter(group: pid_t) throws(ExtensionError) {
            try dropCapabilities()
            try check(sandbox_bequeath_nothing(), "capset")
            try check(sandbox_control(PR_CAP_AMBIENT, UInt(PR_CAP_AMBIENT_CLEAR_ALL)), "ambient")
            try check(sandbox_control(PR_SET_NO_NEW_PRIVS, 1), "no_new_privs")
            let program = SystemCallFilter.program(group: group)
            try check(sandbox_install(program, UInt16(clamping: program.count)), "seccomp")
        }

        /// A group for an extension's processes, held until somebody waits for that number.
        static func makeGroup() throws(ExtensionError) -> pid_t {
            let group = sandbox_make_group()
            try check(group, "group")
            return group
        }

        /// Limits a process that was started a moment ago and has been told nothing yet.
        static func limit(_ pid: pid_t) throws(ExtensionError) {
            for (resource, most) in limits {
                try check(sandbox_limit(pid, resource, most), "prlimit")
            }
        }

        /// No image of its memory on disk, 256 files, a gigabyte.
        private static let limits: [(resource: Int32, most: UInt64)] = [
            (Int32(RLIMIT_CORE.rawValue), 0), (Int32(RLIMIT_NOFILE.rawValue), 256),
            (Int32(RLIMIT_DATA.rawValue), 1 << 30),
        ]

        /// What root has is given anew to each program that it starts, within this bound. For others
        /// the bound cannot be lowered, and need not be: they get nothing by starting a program.
        private static func dropCapabilities() throws(ExtensionError) {
            for capability in UInt(0)..<64 {
                let held = sandbox_control(PR_CAPBSET_READ, capability)
                guard held >= 0 else { return }
                guard held == 1 else { continue }
                let outcome = sandbox_control(PR_CAPBSET_DROP, capability)
                if outcome == -EPERM, geteuid() != 0 { return }
                try check(outcome, "capability \(capability)")
            }
        }

        private static func check(_ outcome: Int32, _ step: String) throws(ExtensionError) {
            guard outcome < 0 else { return }
            throw ExtensionError(
                .cannotStart, "no sandbox, \(step): \(String(cString: strerror(-outcome)))")
        }
    }
#endif
