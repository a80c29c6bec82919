// SPDX-License-Identifier: Apache-2.0
import Crypto
import Primitives

/// A key in memory, for machines without hardware that can hold one.
struct SoftwareSigningKey: StoredKey {
    private let key: P256.Signing.PrivateKey
    private let sealingKey: Secret
    let publicKey: P256PublicKey

    /// A new one.
    init(random: any RandomSource) throws {
        try self.init(P256.Signing.PrivateKey(), sealingKey: Secret(random.bytes(32)))
    }

    private init(_ key: P256.Signing.PrivateKey, sealingKey: Secret) throws {
        self.key = key
        self.sealingKey = sealingKey
        guard
            let publicKey = P256PublicKey(
                rawRepresentation: Array(key.publicKey.rawRepresentation))
        else { throw StoreError.damaged("not a key of P-256") }
        self.publicKey = publicKey
    }

    var isHardware: Bool { false }

    /// Both halves, 64 bytes.
    var stored: [UInt8] { Array(key.rawRepresentation) + sealingKey.reveal() }

    init(stored: [UInt8]) throws {
        guard stored.count == 64,
            let key = try? P256.Signing.PrivateKey(rawRepresentation: stored.prefix(32))
        else { throw StoreError.damaged("not a key of P-256") }
        try self.init(key, sealingKey: Secret(stored.suffix(32)))
    }

    func signature(over message: [UInt8]) async throws -> [UInt8] {
        Array(try key.signature(for: SHA256.hash(data: message)).rawRepresentation)
    }

    func seal(_ plaintext: [UInt8], context: [UInt8]) async throws -> [UInt8] {
        try RecordSeal(sealingKey).seal(plaintext, context: context)
    }

    func open(_ sealed: [UInt8], context: [UInt8]) async throws -> [UInt8] {
        try RecordSeal(sealingKey).open(sealed, context: context)
    }
}

/// AES-256-GCM with the library's nonce in front.
struct RecordSeal {
    private let key: SymmetricKey

    init(_ key: Secret) { self.key = SymmetricKey(data: key.reveal()) }

    func seal(_ plaintext: [UInt8], context: [UInt8]) throws -> [UInt8] {
        let box = try AES.GCM.seal(plaintext, using: key, authenticating: context)
        guard let combined = box.combined else {
            throw StoreError.unavailable("sealing made nothing")
        }
        return Array(combined)
    }

    func open(_ sealed: [UInt8], context: [UInt8]) throws -> [UInt8] {
        guard let box = try? AES.GCM.SealedBox(combined: sealed),
            let plaintext = try? AES.GCM.open(box, using: key, authenticating: context)
        else { throw StoreError.damaged("sealed with another key, or changed since") }
        return Array(plaintext)
    }
}
