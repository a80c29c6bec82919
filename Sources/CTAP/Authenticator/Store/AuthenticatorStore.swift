// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Threads

/// Where a software key keeps its state. A store belongs to one key at a time.
///
/// Both calls may block; only the key's own thread makes them.
package protocol AuthenticatorStore: Sendable {
    /// What was saved last; `nil` when nothing ever was.
    func load() throws(AuthenticatorStoreError) -> AuthenticatorState?

    /// Returns only when the state would survive a loss of power. After an error nobody knows
    /// which of the two states did, so the key stops working until it is opened again.
    func save(_ state: AuthenticatorState) throws(AuthenticatorStoreError)
}

/// Why a store cannot be used.
package enum AuthenticatorStoreError: Error, Sendable, Equatable {
    /// Another process, or another key of this one, has it open.
    case inUse
    /// The secret does not open it: a wrong passphrase, key file or TPM, or a file that was changed.
    case locked
    /// The file is not a store, or is cut short.
    case damaged
    /// A system call failed.
    case system(call: String, code: Int32)
    /// The key file can be read by others than its owner.
    case exposedKeyFile
    /// The TPM refused a command.
    case tpm(code: UInt32)
    /// The TPM, or what pretends to be one, does not answer as the specification says.
    case tpmProtocol
    /// The passphrase could not be stretched.
    case derivation
    /// The file is older than the counter in the hardware: somebody put an earlier copy back.
    case rolledBack

    init(_ refusal: ThreadCreationError) {
        self = .system(call: "pthread_create", code: refusal.code)
    }
}

/// A store that forgets everything with its last owner: for tests, and for keys of one hour.
package final class MemoryAuthenticatorStore: AuthenticatorStore {
    private let saved = Mutex<AuthenticatorState?>(nil)

    package init() {}

    package func load() -> AuthenticatorState? { saved.withLock { $0 } }

    package func save(_ state: AuthenticatorState) { saved.withLock { $0 = state } }
}
