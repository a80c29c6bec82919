// SPDX-License-Identifier: Apache-2.0
import Platform
import Synchronization

/// An extension's process and its descendants, until all of them have ended.
///
/// A separate thread waits for the end. Until then no other process can have their numbers, so a
/// signal reaches only them.
final class ExtensionProcess: Sendable {
    private let group: ExtensionProcessGroup
    private let isGone = Mutex(false)

    /// - Parameter ended: Called once, with the exit code or 128 plus the signal.
    init(
        _ group: ExtensionProcessGroup, ended: @escaping @Sendable (Int32) -> Void
    ) throws(PlatformError) {
        self.group = group
        do throws(PlatformError) {
            try BackgroundThread.start(niceness: 0, stackSize: 131_072) { [self] in ended(wait()) }
        } catch {
            group.discard()
            throw error
        }
    }

    /// Signals the process and its descendants.
    func signal(_ signal: ProcessSignal) {
        isGone.withLock { isGone in
            if !isGone { group.signal(signal) }
        }
    }

    private func wait() -> Int32 {
        // Its descendants are ended before the number is released: until then the group is its own.
        Subprocess.waitForEnd(of: group.pid ?? group.leader)
        return isGone.withLock { isGone in
            isGone = true
            return group.end()
        }
    }
}
