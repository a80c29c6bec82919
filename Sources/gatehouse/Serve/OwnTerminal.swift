// SPDX-License-Identifier: Apache-2.0
import Platform

/// The terminal that a person started the process in; a service has none.
///
/// The system says with SIGHUP that a terminal was closed, and services are told with the same signal to read
/// their configuration again. What has become of the terminal tells them apart.
final class OwnTerminal: Sendable {
    private let terminal: Descriptor

    /// `nil` for a service, and for a process that is to outlive its terminal (`nohup`): it ignores SIGHUP.
    init?() {
        let options: Descriptor.Options = [.read, .noControl, .nonBlocking]
        guard !ProcessSignal.hangUp.isIgnored,
            let terminal = try? Descriptor.open("/dev/tty", options)
        else { return nil }
        self.terminal = terminal
    }

    deinit { terminal.close() }

    var isClosed: Bool {
        (try? terminal.wait(for: [], milliseconds: 0))?.contains(.hangUp) ?? false
    }
}
