// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// An extension's process and the group that it and everything it starts are in.
///
/// On Linux the group's leader is nobody: a process that has ended and that nobody has waited for, so
/// that the group's number is its own for as long as that lasts.
struct ExtensionProcessGroup: Sendable {
    let leader: pid_t
    /// `nil` before it was started.
    var pid: pid_t?

    init(leader: pid_t, pid: pid_t? = nil) {
        self.leader = leader
        self.pid = pid
    }

    /// Everybody in it. A process that is being forked at this moment is in it or is not made.
    func signal(_ number: Int32) { kill(-leader, number) }

    /// Ends one that nobody will look after.
    func discard() { _ = end() }

    /// Ends everybody who is left, and takes note of it: afterwards the numbers are anybody's.
    ///
    /// - Returns: How the process ended, as `waitpid` tells it.
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
