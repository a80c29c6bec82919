// SPDX-License-Identifier: Apache-2.0
import CTAP
import Crypto
import JOSE
import PKCS11
import PlatformSSO
import Primitives

/// A protector on a token: the key is the result of a key agreement between a key pair on the token
/// and one whose private half is discarded. The file is worthless without the token and its PIN.
///
/// Its description is `4 ‖ name of the token's key (16) ‖ x (32) ‖ y (32)`. It requires only ECDH
/// of a token, which more tokens support than any form of encryption.
struct TokenKeyProtector: StateProtector {
    private static let kind: UInt8 = 4
    private static let purpose = Array("gatehouse/agent/state".utf8)

    let token: TokenKeys

    func create(
        random: any RandomSource
    ) throws -> (key: SymmetricKey, description: [UInt8]) {
        let (name, recipient) = try token.makeKey(
            for: .agreement, label: "gatehouse state", random: random)
        let own = try KeyAgreement.ephemeral(for: recipient, random: random)
        guard let half = own.publicKey.x963 else {
            throw KeyStoreError.unusable("the token's key is not on P-256")
        }
        let agreed = Secret(try KeyAgreement.sharedSecret(own, recipient))
        return (Self.key(agreed, half), [Self.kind] + name + half.dropFirst())
    }

    func open(_ description: [UInt8]) throws -> SymmetricKey {
        guard description.count == 1 + TokenKeys.nameSize + 64, description.first == Self.kind
        else {
            throw AuthenticatorStoreError.locked
        }
        let name = Array(description.dropFirst().prefix(TokenKeys.nameSize))
        let point = Array(description.suffix(64))
        return Self.key(try token.sharedSecret(of: name, with: point), [0x04] + point)
    }

    private static func key(_ agreed: Secret, _ half: [UInt8]) -> SymmetricKey {
        agreed.withBytes {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: $0), salt: half, info: purpose,
                outputByteCount: 32)
        }
    }
}
