// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
    import CSandbox
    import Platform

    /// The restrictions of an extension's process. It has the agent's account and files, and none of
    /// root's privileges.
    enum ExtensionSandbox {
        /// Removes from the calling thread, and from all that it starts, every capability, every way
        /// to get one, and the calls of ``SystemCallFilter``. It cannot be undone: the thread must end.
        ///
        /// - Parameter group: The process group of all that the thread starts.
        static func enter(group: Int32) throws(ExtensionError) {
            try dropCapabilities()
            try check(sandbox_bequeath_nothing(), "capset")
            try check(sandbox_control(PR_CAP_AMBIENT, UInt(PR_CAP_AMBIENT_CLEAR_ALL)), "ambient")
            try check(sandbox_control(PR_SET_NO_NEW_PRIVS, 1), "no_new_privs")
            let program = SystemCallFilter.program(group: group)
            try check(sandbox_install(program, UInt16(clamping: program.count)), "seccomp")
        }

        /// A group for an extension's processes, reserved until this process waits for that number.
        static func makeGroup() throws(ExtensionError) -> Int32 {
            let group = sandbox_make_group()
            try check(group, "group")
            return group
        }

        /// Limits a process that was just started and has received no message yet.
        static func limit(_ pid: Int32) throws(ExtensionError) {
            for (resource, most) in limits {
                try check(sandbox_limit(pid, resource, most), "prlimit")
            }
        }

        /// No core dump, 256 files, a gigabyte.
        private static let limits: [(resource: Int32, most: UInt64)] = [
            (SANDBOX_LIMIT_CORE, 0), (SANDBOX_LIMIT_FILES, 256), (SANDBOX_LIMIT_DATA, 1 << 30),
        ]

        /// Each program that root starts gets root's capabilities again, within this bound. Other users
        /// cannot lower the bound and need not: their programs get none.
        private static func dropCapabilities() throws(ExtensionError) {
            for capability in UInt(0)..<64 {
                let held = sandbox_control(PR_CAPBSET_READ, capability)
                guard held >= 0 else { return }
                guard held == 1 else { continue }
                let outcome = sandbox_control(PR_CAPBSET_DROP, capability)
                if outcome == -Errno.notPermitted.rawValue, SystemAccount.effectiveUser != 0 {
                    return
                }
                try check(outcome, "capability \(capability)")
            }
        }

        private static func check(_ outcome: Int32, _ step: String) throws(ExtensionError) {
            guard outcome < 0 else { return }
            throw ExtensionError(
                .cannotStart, "no sandbox, \(step): \(Errno(rawValue: -outcome))")
        }
    }
#endif
