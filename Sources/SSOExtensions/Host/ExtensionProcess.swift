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

/// An extension's process and whatever came of it, until all of them have ended.
///
/// A thread of its own waits for the end. Until it has been taken note of, the numbers belong to them,
/// so no signal goes astray.
final class ExtensionProcess: Sendable {
    private let group: ExtensionProcessGroup
    private let isGone = Mutex(false)

    /// - Parameter ended: called once, with the exit code or 128 and the signal.
    init(
        _ group: ExtensionProcessGroup, ended: @escaping @Sendable (Int32) -> Void
    ) throws(ThreadCreationError) {
        self.group = group
        do throws(ThreadCreationError) {
            try BackgroundThread.start(niceness: 0, stackSize: 131_072) { [self] in ended(wait()) }
        } catch {
            group.discard()
            throw error
        }
    }

    /// Signals the process and all that came of it.
    func signal(_ number: Int32) {
        isGone.withLock { isGone in
            if !isGone { group.signal(number) }
        }
    }

    private func wait() -> Int32 {
        // The end is seen first and taken note of after those it leaves behind were ended, for until
        // then the group is surely its own.
        var facts = siginfo_t()
        let pid = id_t(group.pid ?? group.leader)
        while waitid(P_PID, pid, &facts, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        return isGone.withLock { isGone in
            let raw = group.end()
            isGone = true
            return raw & 0x7F == 0 ? raw >> 8 & 0xFF : 128 + (raw & 0x7F)
        }
    }
}
