// SPDX-License-Identifier: Apache-2.0

/// The store for an installation's keys: a Secure Enclave, a TPM, a sealed file.
///
/// Each profile has one key, which signs it in and seals what its PIN has sealed. What goes into a
/// ``SecureStore`` may be copied with it; what is in a key store of hardware cannot be.
public protocol KeyStore: Sendable {
    /// Creates a P-256 key pair under that name, and replaces an existing one.
    func makeKey(_ name: RecordName) async throws -> any StoredKey

    /// The key of that name, or `nil` when there is none.
    func key(_ name: RecordName) async throws -> (any StoredKey)?

    /// Removes the key; nothing happens when there is none.
    func removeKey(_ name: RecordName) async throws

    /// The names of all keys, in any order.
    func keyNames() async throws -> [RecordName]
}

/// A P-256 key pair that signs, and a secret that seals. Neither can be exported.
public protocol StoredKey: Sendable {
    /// The key that verifies its signatures.
    var publicKey: P256PublicKey { get }

    /// Whether the key is not part of this device's files.
    var isHardware: Bool { get }

    /// The signature over SHA-256 of the message: ES256 of RFC 7518 section 3.4, 64 bytes.
    func signature(over message: [UInt8]) async throws -> [UInt8]

    /// Encrypts and authenticates the bytes, which can be opened with the same context only.
    func seal(_ plaintext: [UInt8], context: [UInt8]) async throws -> [UInt8]

    /// - Throws: ``StoreError/damaged(_:)`` for what this key has not sealed with that context.
    func open(_ sealed: [UInt8], context: [UInt8]) async throws -> [UInt8]
}

/// The public half of a key on P-256.
public struct P256PublicKey: Sendable, Hashable {
    /// 32 bytes each, most significant first.
    public let x: [UInt8]
    /// See ``x``.
    public let y: [UInt8]

    /// Creates a key from 64 bytes: the uncompressed point of SEC 1 section 2.3.3 without its first
    /// byte.
    public init?(rawRepresentation: [UInt8]) {
        guard rawRepresentation.count == 64 else { return nil }
        x = Array(rawRepresentation.prefix(32))
        y = Array(rawRepresentation.suffix(32))
    }
}
