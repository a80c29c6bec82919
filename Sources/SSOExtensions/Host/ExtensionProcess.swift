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

/// An extension's process and its children, until all of them have ended.
///
/// A separate thread waits for the end. The process is not reaped before, so a signal never reaches
/// another process.
final class ExtensionProcess: Sendable {
    private let group: ExtensionProcessGroup
    private let isGone = Mutex(false)

    /// - Parameter ended: Called once, with the exit code or 128 plus the signal.
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

    /// Signals the process and its children.
    func signal(_ number: Int32) {
        isGone.withLock { isGone in
            if !isGone { group.signal(number) }
        }
    }

    private func wait() -> Int32 {
        // The end is observed first. The process is reaped after its children were killed, because
        // the group's number is not reused until then.
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
