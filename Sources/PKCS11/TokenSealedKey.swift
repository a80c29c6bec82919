// SPDX-License-Identifier: Apache-2.0
package import Crypto
package import Primitives

/// A key of 32 bytes that only one token can derive again: the result of a key agreement between a
/// key pair on the token and one whose private half is discarded.
///
/// It requires only ECDH of a token, which more tokens support than any form of encryption.
package struct TokenSealedKey: Sendable, Equatable {
    private static let nameSize = 16
    /// The name, x and y.
    package static let size = nameSize + 64

    /// `CKA_ID` of the token's key.
    package let name: [UInt8]
    /// x and y of the discarded pair, 32 bytes each.
    let point: [UInt8]

    private init(name: [UInt8], point: [UInt8]) { (self.name, self.point) = (name, point) }

    /// - Parameter bytes: ``bytes``; `nil` for another number of bytes.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.size else { return nil }
        self.init(
            name: Array(bytes.prefix(Self.nameSize)), point: Array(bytes.dropFirst(Self.nameSize)))
    }

    package var bytes: [UInt8] { name + point }

    /// Creates a key pair on the token, and a key that it can derive again.
    ///
    /// - Parameters:
    ///   - label: `CKA_LABEL`, for people who look at the token.
    ///   - purpose: A key is another one for each purpose.
    package static func create(
        on token: TokenKeys, label: String, purpose: String, random: any RandomSource
    ) throws(PKCS11Error) -> (key: SymmetricKey, sealed: TokenSealedKey) {
        let own = try ephemeral(random)
        let name = random.bytes(nameSize)
        let recipient = try token.makeKey(for: .agreement, id: name, name: label)
        let sealed = TokenSealedKey(name: name, point: Array(own.publicKey.rawRepresentation))
        guard let key = try? P256.KeyAgreement.PublicKey(rawRepresentation: recipient),
            let agreed = try? own.sharedSecretFromKeyAgreement(with: key)
        else { throw .malformed("a point") }
        return (sealed.key(Secret(agreed.withUnsafeBytes { Array($0) }), purpose), sealed)
    }

    /// Derives the key again.
    package func open(
        with token: TokenKeys, purpose: String
    ) throws(PKCS11Error) -> SymmetricKey {
        key(try token.sharedSecret(of: name, with: point), purpose)
    }

    private func key(_ agreed: Secret, _ purpose: String) -> SymmetricKey {
        agreed.withBytes {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: $0), salt: [0x04] + point,
                info: Array(purpose.utf8), outputByteCount: 32)
        }
    }

    private static func ephemeral(
        _ random: any RandomSource
    ) throws(PKCS11Error) -> P256.KeyAgreement.PrivateKey {
        // A draw outside the group's order happens once in 2^32.
        for _ in 0..<8 {
            let scalar = random.bytes(32)
            defer { Secret.overwrite(scalar) }
            if let key = try? P256.KeyAgreement.PrivateKey(rawRepresentation: scalar) {
                return key
            }
        }
        throw .malformed("a scalar")
    }
}
