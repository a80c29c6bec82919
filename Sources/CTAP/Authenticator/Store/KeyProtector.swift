// SPDX-License-Identifier: Apache-2.0
package import Crypto
package import Primitives

/// A protector of the store's key: a passphrase, a file, a TPM.
///
/// A vault writes a description into the head of the store, unencrypted: salts and sealed blobs,
/// never the key. Both calls may block.
package protocol KeyProtector: Sendable {
    /// A fresh key of 32 bytes, and the description by which ``open(_:)`` finds it again.
    func create(
        random: any RandomSource
    ) throws(AuthenticatorStoreError) -> (key: SymmetricKey, description: [UInt8])

    /// The key that belongs to the description.
    func open(_ description: [UInt8]) throws(AuthenticatorStoreError) -> SymmetricKey

    /// The counter that belongs to the description, where the vault has one.
    func counter(_ description: [UInt8], key: SymmetricKey) -> (any MonotonicCounter)?
}

extension KeyProtector {
    package func counter(
        _ description: [UInt8], key: SymmetricKey
    ) -> (any MonotonicCounter)? { nil }
}
