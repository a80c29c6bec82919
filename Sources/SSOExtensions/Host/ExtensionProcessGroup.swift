// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// An extension's process and its process group, which contains all its children.
///
/// On Linux the group's leader is a zombie: a process that has ended and is not yet reaped, so that
/// the group's number is not reused until then.
struct ExtensionProcessGroup: Sendable {
    let leader: pid_t
    /// `nil` before it was started.
    var pid: pid_t?

    init(leader: pid_t, pid: pid_t? = nil) {
        self.leader = leader
        self.pid = pid
    }

    /// Signals all processes in the group. A process that is being forked at this moment is in the
    /// group or is not created.
    func signal(_ number: Int32) { kill(-leader, number) }

    /// Ends a group that is not used further.
    func discard() { _ = end() }

    /// Kills all remaining processes and reaps the group; afterwards its numbers may be reused.
    ///
    /// - Returns: The end of the process, as `waitpid` reports it.
    func end() -> Int32 {
        signal(SIGKILL)
        let status = pid.map { Self.wait($0) } ?? 0
        if pid != leader { _ = Self.wait(leader) }
        return status
    }

    private static func wait(_ pid: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        return status
    }
}
