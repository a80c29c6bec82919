// SPDX-License-Identifier: Apache-2.0
import Platform

/// An extension's process and the process group of it and all that it starts.
///
/// On Linux the leader of the group is a process that has ended and that is not yet waited for, so
/// that no other group can have its number.
struct ExtensionProcessGroup: Sendable {
    let leader: Int32
    /// `nil` before it was started.
    var pid: Int32?

    /// Signals all of the group. A process that is being forked now is in it or is not created.
    func signal(_ signal: ProcessSignal) { signal.send(to: -leader) }

    /// Ends a group that has no ``ExtensionProcess``.
    func discard() { _ = end() }

    /// Ends all that remain and waits for them. Other processes may then have the numbers.
    ///
    /// - Returns: The exit code of the extension, or 128 and the signal.
    func end() -> Int32 {
        signal(.kill)
        let status = pid.map { Subprocess.wait(for: $0) } ?? 0
        if pid != leader { Subprocess.wait(for: leader) }
        return status
    }
}
