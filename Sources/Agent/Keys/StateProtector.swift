// SPDX-License-Identifier: Apache-2.0
import CTAP
import Crypto
import Primitives

/// What guards the key of the state file: a file, a TPM, or a token. It may block.
protocol StateProtector: Sendable {
    /// A fresh key of 32 bytes, and the description by which ``open(_:)`` finds it again.
    func create(random: any RandomSource) throws -> (key: SymmetricKey, description: [UInt8])

    /// The key that belongs to the description.
    func open(_ description: [UInt8]) throws -> SymmetricKey
}

extension KeyFileProtector: StateProtector {}
extension TPMKeyProtector: StateProtector {}
