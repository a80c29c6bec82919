// SPDX-License-Identifier: Apache-2.0
package import Platform

/// A failure of a store.
package enum AuthenticatorStoreError: Error, Sendable, Equatable {
    /// Another process, or another key of this one, uses the store.
    case inUse
    /// The secret does not decrypt the store: a wrong passphrase, key file or TPM, or a changed
    /// file.
    case locked
    /// The file is not a store, or is cut short.
    case damaged
    /// A system call failed.
    case system(call: String, code: Int32)
    /// The key file can be read by others than its owner.
    case exposedKeyFile
    /// The TPM refused a command.
    case tpm(code: UInt32)
    /// The TPM violates the specification in a response.
    case tpmProtocol
    /// The passphrase could not be stretched.
    case derivation
    /// The file is older than the counter in the hardware: an earlier copy was restored.
    case rolledBack

    package init(_ error: PlatformError) {
        self = .system(call: error.call, code: error.code.rawValue)
    }
}
