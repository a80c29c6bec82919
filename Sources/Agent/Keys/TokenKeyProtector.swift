// SPDX-License-Identifier: Apache-2.0
import CTAP
import Crypto
import PKCS11
import Primitives

/// A protector on a token. The file is worthless without the token and its PIN.
///
/// Its description is `4 ‖ name of the token's key (16) ‖ x (32) ‖ y (32)`.
struct TokenKeyProtector: StateProtector {
    private static let kind: UInt8 = 4
    private static let purpose = "gatehouse/agent/state"

    let token: TokenKeys

    func create(
        random: any RandomSource
    ) throws -> (key: SymmetricKey, description: [UInt8]) {
        let (key, sealed) = try TokenSealedKey.create(
            on: token, label: "gatehouse state", purpose: Self.purpose, random: random)
        return (key, [Self.kind] + sealed.bytes)
    }

    func open(_ description: [UInt8]) throws -> SymmetricKey {
        guard description.first == Self.kind, let sealed = TokenSealedKey(description.dropFirst())
        else { throw AuthenticatorStoreError.locked }
        return try sealed.open(with: token, purpose: Self.purpose)
    }
}
