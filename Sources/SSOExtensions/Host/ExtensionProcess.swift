// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Threads

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// An extension's process and whatever it forked, until all of them have ended.
///
/// A thread of its own waits for the end. Until it has been taken note of, the process's number
/// belongs to it, so no signal goes astray.
final class ExtensionProcess: Sendable {
    let pid: pid_t
    private let isGone = Mutex(false)

    /// - Parameter ended: called once, with the exit code or 128 and the signal.
    init(pid: pid_t, ended: @escaping @Sendable (Int32) -> Void) throws(ThreadRefused) {
        self.pid = pid
        do throws(ThreadRefused) {
            try BackgroundThread.start(niceness: 0, stackSize: 131_072) { [self] in ended(wait()) }
        } catch {
            Self.discard(pid)
            throw error
        }
    }

    /// Ends one that nobody will look after.
    static func discard(_ pid: pid_t) {
        kill(-pid, SIGKILL)
        while waitpid(pid, nil, 0) < 0, errno == EINTR {}
    }

    /// Signals the process and all that it forked in its group.
    func signal(_ number: Int32) {
        isGone.withLock { isGone in
            if !isGone { kill(-pid, number) }
        }
    }

    private func wait() -> Int32 {
        // The end is seen first and taken note of after those it leaves behind were ended, for until
        // then the group is surely its own.
        var facts = siginfo_t()
        while waitid(P_PID, id_t(pid), &facts, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        return isGone.withLock { isGone in
            kill(-pid, SIGKILL)
            var raw: Int32 = 0
            while waitpid(pid, &raw, 0) < 0, errno == EINTR {}
            isGone = true
            return raw & 0x7F == 0 ? raw >> 8 & 0xFF : 128 + (raw & 0x7F)
        }
    }
}
