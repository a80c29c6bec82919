// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A store in memory, for tests and for temporary keys.
package final class MemoryAuthenticatorStore: AuthenticatorStore {
    private let saved = Mutex<AuthenticatorState?>(nil)

    package init() {}

    package func load() -> AuthenticatorState? { saved.withLock { $0 } }

    package func save(_ state: AuthenticatorState) { saved.withLock { $0 = state } }
}
