// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
    import CSandbox

    #if canImport(Glibc)
        import Glibc
    #else
        import Musl
    #endif

    /// The restrictions of an extension's process. It has the agent's account and files, and none
    /// of root's privileges.
    enum ExtensionSandbox {
        /// Removes all capabilities and the ways to gain them from the calling thread and its
        /// children, and applies ``SystemCallFilter``. This is irreversible: the thread must end.
        ///
        /// - Parameter group: The group of the thread's children and their descendants.
        static func enter(group: pid_t) throws(ExtensionError) {
            try dropCapabilities()
            try check(sandbox_bequeath_nothing(), "capset")
            try check(sandbox_control(PR_CAP_AMBIENT, UInt(PR_CAP_AMBIENT_CLEAR_ALL)), "ambient")
            try check(sandbox_control(PR_SET_NO_NEW_PRIVS, 1), "no_new_privs")
            let program = SystemCallFilter.program(group: group)
            try check(sandbox_install(program, UInt16(clamping: program.count)), "seccomp")
        }

        /// Creates a process group for an extension's processes. It exists until its leader is
        /// reaped.
        static func makeGroup() throws(ExtensionError) -> pid_t {
            let group = sandbox_make_group()
            try check(group, "group")
            return group
        }

        /// Limits a process that was just started and has not received a message yet.
        static func limit(_ pid: pid_t) throws(ExtensionError) {
            for (resource, most) in limits {
                try check(sandbox_limit(pid, resource, most), "prlimit")
            }
        }

        /// No core dump, 256 files, a gigabyte.
        private static let limits: [(resource: Int32, most: UInt64)] = [
            (Int32(RLIMIT_CORE.rawValue), 0), (Int32(RLIMIT_NOFILE.rawValue), 256),
            (Int32(RLIMIT_DATA.rawValue), 1 << 30),
        ]

        /// Removes the capabilities of the bounding set, which root regains in each started
        /// program. For other users the bound cannot be lowered, which is not required: a started
        /// program gives them none.
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
