// SPDX-License-Identifier: Apache-2.0
package import Mail
import Synchronization

/// Keeps the messages instead of sending them; fails when told to.
package final class RecordingTransport: MailTransport {
    private struct State {
        var messages: [MailMessage] = []
        var failure: (any Error)?
    }

    private let state = Mutex(State())

    package init() {}

    package var messages: [MailMessage] { state.withLock { $0.messages } }

    /// From now on every sending fails with `error`, or succeeds again.
    package func fail(with error: (any Error)?) { state.withLock { $0.failure = error } }

    package func send(_ message: MailMessage) async throws {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            state.messages.append(message)
        }
    }
}
