// SPDX-License-Identifier: Apache-2.0
package import Crypto
import CryptoExtras

/// A fake TPM of a manufacturer: it decrypts sealed secrets (TPM 2.0 Library Part 1, section 24 and
/// annex C.6) with an independent implementation.
package struct EndorsedMachine {
    package let endorsementKey = P256.Signing.PrivateKey()
    package let attestationKey: P256.Signing.PrivateKey
    /// DER of the endorsement key's certificate.
    package let certificate: [UInt8]

    package var endorsementArea: [UInt8] {
        EndorsementAuthority.endorsementArea(endorsementKey.publicKey)
    }
    package var attestationArea: [UInt8] {
        EndorsementAuthority.attestationArea(attestationKey.publicKey)
    }

    package init(_ maker: EndorsementAuthority, attestationKey: P256.Signing.PrivateKey) throws {
        self.attestationKey = attestationKey
        certificate = try maker.certify(
            EndorsementAuthority.endorsementArea(endorsementKey.publicKey))
    }

    /// Why it gives nothing out.
    package enum Refused: Error {
        case integrity
    }

    /// `TPM2_ActivateCredential`.
    package func open(_ blob: [UInt8], _ encryptedSecret: [UInt8]) throws -> [UInt8] {
        let (x, y) = (Array(encryptedSecret[2..<34]), Array(encryptedSecret[36..<68]))
        let own = try P256.KeyAgreement.PrivateKey(
            rawRepresentation: endorsementKey.rawRepresentation)
        let shared = try own.sharedSecretFromKeyAgreement(
            with: try P256.KeyAgreement.PublicKey(rawRepresentation: x + y))
        let agreed = shared.withUnsafeBytes { Array($0) }
        let point = Array(endorsementKey.publicKey.rawRepresentation.prefix(32))
        let seed = Array(
            SHA256.hash(data: [0, 0, 0, 1] + agreed + Array("IDENTITY".utf8) + [0] + x + point))
        let name = [0x00, 0x0B] + Array(SHA256.hash(data: attestationArea))
        let sealed = Array(blob[34...])
        let code = Self.code(sealed + name, Self.key(seed, "INTEGRITY", [], [0, 0, 1, 0]))
        guard Array(blob[2..<34]) == code else { throw Refused.integrity }
        let key = Array(Self.key(seed, "STORAGE", name, [0, 0, 0, 128]).prefix(16))
        return Array(try Self.decrypt(sealed, key).dropFirst(2))
    }

    private static func code(_ message: [UInt8], _ key: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key)))
    }

    private static func key(
        _ seed: [UInt8], _ label: String, _ context: [UInt8], _ bits: [UInt8]
    ) -> [UInt8] { code([0, 0, 0, 1] + Array(label.utf8) + [0] + context + bits, seed) }

    /// AES in CFB mode, from zero.
    private static func decrypt(_ sealed: [UInt8], _ key: [UInt8]) throws -> [UInt8] {
        var (opened, last): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 16))
        for start in stride(from: 0, to: sealed.count, by: 16) {
            let block = Array(sealed[start..<min(start + 16, sealed.count)])
            try AES.permute(&last, key: SymmetricKey(data: key))
            opened += zip(block, last).map { $0 ^ $1 }
            last = block
        }
        return opened
    }
}
