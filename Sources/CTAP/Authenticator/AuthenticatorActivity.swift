// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The current activity of the key, for the keep-alives of its transport.
package final class AuthenticatorActivity: Sendable {
    private let state = Mutex(CTAPHIDKeepalive.processing)

    package var keepalive: CTAPHIDKeepalive { state.withLock { $0 } }

    func set(_ keepalive: CTAPHIDKeepalive) { state.withLock { $0 = keepalive } }
}
