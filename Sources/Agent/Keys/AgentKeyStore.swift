// SPDX-License-Identifier: Apache-2.0
import CTAP
import Crypto
package import JOSE
package import PKCS11
import Platform
import PlatformSSO
package import Primitives

/// Makes and uses keys. A store never falls back on another: where its TPM or its token is away, keys
/// cannot be made or used, and that is an error.
package struct AgentKeyStore: Sendable {
    package let kind: KeyStoreKind
    let tpm: String
    private let token: TokenKeys?
    let random: any RandomSource

    /// - Parameters:
    ///   - tpm: `/dev/tpmrm0`, or the Unix socket of a software TPM.
    ///   - token: For ``KeyStoreKind/pkcs11``.
    package init(
        _ kind: KeyStoreKind, tpm: String = "/dev/tpmrm0", token: TokenKeys? = nil,
        random: any RandomSource
    ) {
        self.kind = kind
        self.tpm = tpm
        self.token = token
        self.random = random
    }

    /// What the state file is sealed under.
    ///
    /// - Parameter path: of the key file, where there is nothing better.
    func vault(keyFile path: String) throws -> any StateProtector {
        switch kind {
        case .file: KeyFileProtector(path: path)
        case .tpm: TPMKeyProtector(path: tpm, countsChanges: false)
        case .pkcs11: TokenKeyProtector(token: try hardwareToken)
        }
    }

    package func makeSigningKey() async throws -> AgentKey {
        switch kind {
        case .file: return try softwareKey()
        case .tpm:
            let path = tpm
            return try await hardwareKey { try TPMCredentialKeys(path: path).makeKey() }
        case .pkcs11: return try await tokenKey(for: .signing)
        }
    }

    package func makeAgreementKey() async throws -> AgentKey {
        switch kind {
        case .file: return try softwareKey()
        case .tpm:
            let path = tpm
            return try await hardwareKey { try TPMAgreementKeys(path: path).makeKey() }
        case .pkcs11: return try await tokenKey(for: .agreement)
        }
    }

    /// The signature of ES256 as JWS has it, 64 bytes.
    package func sign(_ message: [UInt8], with key: AgentKey) async throws -> [UInt8] {
        guard key.guarded == nil else { throw KeyPINError.needed }
        switch key.kind {
        case .file:
            return try JOSESigner(try softwareKey(key), algorithm: .es256)
                .signature(over: message)
        case .tpm:
            let (path, hardware) = (tpm, try hardware(key))
            let der = try await BlockingCall.run {
                try TPMCredentialKeys(path: path).sign(message, with: hardware)
            }
            return try Self.rawSignature(der)
        case .pkcs11:
            let (token, id) = (try hardwareToken, key.handle.reveal())
            let digest = Array(SHA256.hash(data: message))
            return try await BlockingCall.run { try token.sign(digest: digest, with: id) }
        }
    }

    static func rawSignature(_ der: [UInt8]) throws -> [UInt8] {
        Array(try P256.Signing.ECDSASignature(derRepresentation: der).rawRepresentation)
    }

    /// What the key agrees on with another: the X coordinate, 32 bytes.
    package func agree(_ key: AgentKey, with other: PublicJWK) async throws -> Secret {
        guard key.kind != .file else {
            return Secret(try KeyAgreement.sharedSecret(try softwareKey(key), other))
        }
        guard let point = other.x963.map({ Array($0.dropFirst()) }), point.count == 64 else {
            throw KeyStoreError.unusable("the other key is not on P-256")
        }
        if key.kind == .tpm {
            let (path, hardware) = (tpm, try hardware(key))
            return try await BlockingCall.run {
                try TPMAgreementKeys(path: path).sharedSecret(hardware, with: point)
            }
        }
        let (token, id) = (try hardwareToken, key.handle.reveal())
        return try await BlockingCall.run { try token.sharedSecret(of: id, with: point) }
    }

    /// Destroys a key that is not used any longer. Only a token stores keys itself.
    package func discard(_ key: AgentKey) async throws {
        guard key.kind == .pkcs11 else { return }
        let (token, id) = (try hardwareToken, key.handle.reveal())
        try await BlockingCall.run { try token.destroy(id) }
    }

    // MARK: Software

    private func softwareKey() throws -> AgentKey {
        // A draw outside the group's order happens once in 2^32.
        for _ in 0..<8 {
            var bytes = random.bytes(32)
            let scalar = Secret(wiping: &bytes)
            guard let key = try? PrivateJWK(scalar: scalar, on: .p256) else { continue }
            return AgentKey(kind: .file, publicKey: key.publicKey, handle: scalar)
        }
        throw KeyStoreError.unusable("the source of randomness gives no usable scalar")
    }

    private func softwareKey(_ key: AgentKey) throws -> PrivateJWK {
        try PrivateJWK(scalar: key.handle, on: .p256)
    }

    // MARK: TPM

    func hardwareKey(
        _ make: @escaping @Sendable () throws -> HardwareKey
    ) async throws -> AgentKey {
        let made = try await BlockingCall.run(make)
        return AgentKey(
            kind: .tpm, publicKey: try PublicJWK(x963: [0x04] + made.point),
            handle: Secret(made.handle))
    }

    func hardware(_ key: AgentKey) throws -> HardwareKey {
        guard let point = key.publicKey.x963?.dropFirst() else {
            throw KeyStoreError.unusable("the key is not on P-256")
        }
        return HardwareKey(point: Array(point), handle: key.handle.reveal())
    }

    // MARK: Token

    private var hardwareToken: TokenKeys {
        get throws {
            guard let token else { throw KeyStoreError.unusable("no token is named") }
            return token
        }
    }

    private func tokenKey(for use: TokenKeyUse) async throws -> AgentKey {
        let (token, random) = (try hardwareToken, random)
        let label = use == .signing ? "gatehouse signing" : "gatehouse agreement"
        let (name, key) = try await BlockingCall.run {
            try token.makeKey(for: use, label: label, random: random)
        }
        return AgentKey(kind: .pkcs11, publicKey: key, handle: Secret(name))
    }
}
