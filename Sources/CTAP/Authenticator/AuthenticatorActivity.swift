// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// What the key is doing at this moment, for the keep-alives that its transport sends.
package final class AuthenticatorActivity: Sendable {
    private let state = Mutex(CTAPHIDKeepalive.processing)

    package var keepalive: CTAPHIDKeepalive { state.withLock { $0 } }

    func set(_ keepalive: CTAPHIDKeepalive) { state.withLock { $0 = keepalive } }
}
