// SPDX-License-Identifier: Apache-2.0
import CTAP
import Crypto
import JOSE
import PKCS11
import PlatformSSO
import Primitives

/// A vault on a token: the key is what a key pair on the token agrees on with a key of ours, of which
/// only the public half is kept. The file is worth nothing without the token and its PIN.
///
/// Its description is `4 ‖ x (32) ‖ y (32)`. ECDH is all that it asks of a token, which more of them can
/// do than any form of encryption.
struct TokenVault: StateVault {
    private static let kind: UInt8 = 4
    /// One on each token, however many states it guards: each has its own other half.
    private static let id = Array("gatehouse state".utf8)
    private static let purpose = Array("gatehouse/agent/state".utf8)

    let token: TokenKeys

    func create(
        random: any RandomSource
    ) throws -> (key: SymmetricKey, description: [UInt8]) {
        let recipient = try PublicJWK(x963: [0x04] + (try point()))
        let own = try KeyAgreement.ephemeral(for: recipient, random: random)
        guard let half = own.publicKey.x963 else {
            throw KeyStoreError.unusable("the token's key is not on P-256")
        }
        let agreed = Secret(try KeyAgreement.sharedSecret(own, recipient))
        return (Self.key(agreed, half), [Self.kind] + half.dropFirst())
    }

    func open(_ description: [UInt8]) throws -> SymmetricKey {
        guard description.count == 65, description.first == Self.kind else {
            throw AuthenticatorStoreError.locked
        }
        let point = Array(description.dropFirst())
        return Self.key(try token.sharedSecret(of: Self.id, with: point), [0x04] + point)
    }

    /// Of the token's key, which is made when it is first needed.
    private func point() throws -> [UInt8] {
        do throws(PKCS11Error) { return try token.publicKey(Self.id) } catch {
            guard error == .noKey else { throw error }
            return try token.makeKey(for: .agreement, id: Self.id, name: "gatehouse state")
        }
    }

    private static func key(_ agreed: Secret, _ half: [UInt8]) -> SymmetricKey {
        agreed.withBytes {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: $0), salt: half, info: purpose,
                outputByteCount: 32)
        }
    }
}
