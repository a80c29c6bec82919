// SPDX-License-Identifier: Apache-2.0
import Crypto
import Primitives
import TPM
import UserClient

/// Keys in a TPM 2.0, which cannot be exported. The files in the directory are encrypted for that
/// TPM; a copy cannot be used.
///
/// Each signature takes as long as the TPM takes, a tenth of a second and more. Each process that
/// may use the TPM on this device and read the directory can use the keys.
public struct TPMKeyStore: KeyStore {
    private let folder: OwnerOnlyDirectory
    private let tpm: TPMDevice
    private let random: any RandomSource = SystemRandomSource()

    private static let suffix = ".tpmkey"

    /// - Parameters:
    ///   - directory: Absolute; made when a key is.
    ///   - path: The device, or the Unix socket of a software TPM.
    public init(directory: String, tpm path: String = "/dev/tpmrm0") {
        folder = OwnerOnlyDirectory(directory)
        tpm = TPMDevice(path: path)
    }

    /// Whether there is a TPM that this process may use.
    public static func isAvailable(tpm path: String = "/dev/tpmrm0") -> Bool {
        TPMDevice(path: path).isThere
    }

    /// See ``KeyStore/makeKey(_:)``.
    public func makeKey(_ name: RecordName) async throws -> any StoredKey {
        let (tpm, secret) = (tpm, Secret(random.bytes(32)))
        let made = try await StoreError.asking { () throws(TPMError) in
            (signing: try tpm.makeSigningKey(), sealing: try tpm.seal(secret))
        }
        let key = try TPMSigningKey(tpm, signing: made.signing, sealing: made.sealing)
        try StoreError.ofFolder {
            try folder.make()
            try folder.replace(name.rawValue + Self.suffix, with: key.stored)
        }
        return key
    }

    /// See ``KeyStore/key(_:)``.
    public func key(_ name: RecordName) async throws -> (any StoredKey)? {
        let file = name.rawValue + Self.suffix
        return try StoreError.ofFolder { try folder.read(file) }
            .map { try TPMSigningKey(tpm, stored: $0) }
    }

    /// See ``KeyStore/removeKey(_:)``.
    public func removeKey(_ name: RecordName) async throws {
        try StoreError.ofFolder { try folder.remove(name.rawValue + Self.suffix) }
    }

    /// See ``KeyStore/keyNames()``.
    public func keyNames() async throws -> [RecordName] {
        try StoreError.ofFolder { try folder.names() }.compactMap { file in
            guard file.hasSuffix(Self.suffix) else { return nil }
            return RecordName(rawValue: String(file.dropLast(Self.suffix.count)))
        }
    }
}

extension StoreError {
    /// Runs an operation on a directory, and converts its errors to those of a store.
    static func ofFolder<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch UserClientError.file(let text) {
            throw StoreError.unavailable(text)
        }
    }
}

/// A key pair inside a TPM, and a secret that the TPM has sealed.
private struct TPMSigningKey: StoredKey {
    private let tpm: TPMDevice
    private let signing: TPMObject
    private let sealing: TPMObject
    let publicKey: P256PublicKey

    init(_ tpm: TPMDevice, signing: TPMObject, sealing: TPMObject) throws {
        guard let publicKey = signing.point.flatMap(P256PublicKey.init(rawRepresentation:)) else {
            throw StoreError.damaged("not a key of P-256")
        }
        (self.tpm, self.signing, self.sealing) = (tpm, signing, sealing)
        self.publicKey = publicKey
    }

    init(_ tpm: TPMDevice, stored: [UInt8]) throws {
        guard let objects = TPMObject.decode(stored, count: 2) else {
            throw StoreError.damaged("not a key of a TPM")
        }
        try self.init(tpm, signing: objects[0], sealing: objects[1])
    }

    var stored: [UInt8] { signing.encoded + sealing.encoded }

    var isHardware: Bool { true }

    func signature(over message: [UInt8]) async throws -> [UInt8] {
        let digest = Array(SHA256.hash(data: message))
        return try await StoreError.asking { [tpm, signing] () throws(TPMError) in
            try tpm.sign(digest: digest, with: signing)
        }
    }

    func seal(_ plaintext: [UInt8], context: [UInt8]) async throws -> [UInt8] {
        try await secret().seal(plaintext, context: context)
    }

    func open(_ sealed: [UInt8], context: [UInt8]) async throws -> [UInt8] {
        try await secret().open(sealed, context: context)
    }

    /// Unsealed each time, so that it is in memory for a moment only.
    private func secret() async throws -> RecordSeal {
        let secret = try await StoreError.asking { [tpm, sealing] () throws(TPMError) in
            try tpm.unseal(sealing)
        }
        guard secret.withBytes({ $0.count }) == 32 else {
            throw StoreError.damaged("the sealed secret is not 32 bytes")
        }
        return RecordSeal(secret)
    }
}
