// SPDX-License-Identifier: Apache-2.0
import CTAP
import Crypto
package import JOSE
import PlatformSSO
package import Primitives

/// Makes and uses keys. A store never falls back on a weaker one: where its TPM is away, keys cannot
/// be made or used, and that is an error.
package struct KeyStore: Sendable {
    package let kind: KeyStoreKind
    private let tpm: String
    private let random: any RandomSource

    /// - Parameter tpm: `/dev/tpmrm0`, or the Unix socket of a software TPM.
    package init(_ kind: KeyStoreKind, tpm: String = "/dev/tpmrm0", random: any RandomSource) {
        self.kind = kind
        self.tpm = tpm
        self.random = random
    }

    /// What the state file is sealed under.
    ///
    /// - Parameter path: of the key file, where there is no TPM.
    func vault(keyFile path: String) -> any KeyVault {
        switch kind {
        case .file: KeyFileVault(path: path)
        case .tpm: TPMVault(path: tpm, countsChanges: false)
        }
    }

    package func makeSigningKey() async throws -> AgentKey {
        guard kind == .tpm else { return try softwareKey() }
        return try await hardwareKey { [tpm] in try TPMCredentialKeys(path: tpm).makeKey() }
    }

    package func makeAgreementKey() async throws -> AgentKey {
        guard kind == .tpm else { return try softwareKey() }
        return try await hardwareKey { [tpm] in try TPMAgreementKeys(path: tpm).makeKey() }
    }

    /// The signature of ES256 as JWS has it, 64 bytes.
    package func sign(_ message: [UInt8], with key: AgentKey) async throws -> [UInt8] {
        switch key.kind {
        case .file:
            return try JOSESigner(try softwareKey(key), algorithm: .es256)
                .signature(over: message)
        case .tpm:
            let (path, hardware) = (tpm, try hardware(key))
            let der = try await BlockingCall.run {
                try TPMCredentialKeys(path: path).sign(message, with: hardware)
            }
            return Array(try P256.Signing.ECDSASignature(derRepresentation: der).rawRepresentation)
        }
    }

    /// What the key agrees on with another: the X coordinate, 32 bytes.
    package func agree(_ key: AgentKey, with other: PublicJWK) async throws -> Secret {
        switch key.kind {
        case .file:
            return Secret(try KeyAgreement.sharedSecret(try softwareKey(key), other))
        case .tpm:
            guard let point = other.x963?.dropFirst(), point.count == 64 else {
                throw KeyStoreError.unusable("the other key is not on P-256")
            }
            let (path, hardware) = (tpm, try hardware(key))
            return try await BlockingCall.run {
                try TPMAgreementKeys(path: path).sharedSecret(hardware, with: Array(point))
            }
        }
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

    private func hardwareKey(
        _ make: @escaping @Sendable () throws -> HardwareKey
    ) async throws -> AgentKey {
        let made = try await BlockingCall.run(make)
        return AgentKey(
            kind: .tpm, publicKey: try PublicJWK(x963: [0x04] + made.point),
            handle: Secret(made.handle))
    }

    private func hardware(_ key: AgentKey) throws -> HardwareKey {
        guard let point = key.publicKey.x963?.dropFirst() else {
            throw KeyStoreError.unusable("the key is not on P-256")
        }
        return HardwareKey(point: Array(point), handle: key.handle.reveal())
    }
}

/// Why a key cannot be made or used, or the state not be opened.
package enum KeyStoreError: Error, Sendable, Equatable, CustomStringConvertible {
    case unusable(String)
    /// The state was sealed with another kind of store than the policy asks for.
    case otherStore(found: KeyStoreKind, wanted: KeyStoreKind)

    package var description: String {
        switch self {
        case .unusable(let reason): "a key cannot be used: \(reason)"
        case .otherStore(let found, let wanted):
            "the keys of this machine are kept by \(found.rawValue), and \(wanted.rawValue) is asked "
                + "for; keys do not move: remove the state and register anew"
        }
    }
}
