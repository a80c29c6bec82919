// SPDX-License-Identifier: Apache-2.0
import CTAP
import Crypto
import Platform
import PlatformSSO
package import Primitives

/// Keys that sign only with a PIN.
extension AgentKeyStore {
    /// A signing key behind a PIN, which nothing keeps.
    package func makeSigningKey(pin: Secret) async throws -> AgentKey {
        switch kind {
        case .tpm: try await tpmKey(pin)
        case .file, .pkcs11: try await sealed(try await makeSigningKey(), under: pin)
        }
    }

    /// Signs as ``sign(_:with:)``. The only PIN that is tried is one that a person typed.
    ///
    /// - Throws: ``KeyPINError/incorrect`` and ``KeyPINError/tpmLocked`` if the PIN was verified.
    package func sign(
        _ message: [UInt8], with key: AgentKey, pin: Secret
    ) async throws -> [UInt8] {
        guard let guarded = key.guarded else { return try await sign(message, with: key) }
        guard key.kind == .tpm else {
            return try await sign(message, with: try await opened(key, guarded, pin))
        }
        let hardware = try hardware(key)
        let password = Self.password(pin, salt: guarded.description)
        do {
            let path = tpm
            let der = try await BlockingCall.run {
                try TPMCredentialKeys(path: path).sign(message, with: hardware, password: password)
            }
            return try Self.rawSignature(der)
        } catch let error as AuthenticatorStoreError {
            if error.isWrongPassword { throw KeyPINError.incorrect }
            if error.isLockedOut { throw KeyPINError.tpmLocked }
            throw error
        }
    }

    // MARK: TPM

    private func tpmKey(_ pin: Secret) async throws -> AgentKey {
        let salt = random.bytes(16)
        let (path, password) = (tpm, Self.password(pin, salt: salt))
        var key = try await hardwareKey {
            try TPMCredentialKeys(path: path).makeKey(password: password)
        }
        key.guarded = KeyProtection(description: salt)
        return key
    }

    /// TPMs take passwords of 32 bytes at most, and cut zeros off at the end: so a digest, without one
    /// in the last place.
    static func password(_ pin: Secret, salt: [UInt8]) -> Secret {
        pin.withBytes { pin in
            var digest = Array(SHA256.hash(data: salt + Array(pin)))
            digest[31] |= 1
            return Secret(wiping: &digest)
        }
    }

    // MARK: File and token

    private func sealed(_ key: AgentKey, under pin: Secret) async throws -> AgentKey {
        let random = random
        let binding = key.publicKey.x963 ?? []
        let (description, box) = try await BlockingCall.run {
            let (opener, description) = try PassphraseKeyProtector(pin).create(random: random)
            let box = try key.handle.withBytes {
                try AES.GCM.seal(
                    $0, using: opener, nonce: AES.GCM.Nonce(data: random.bytes(12)),
                    authenticating: binding)
            }
            return (description, Array(box.nonce) + Array(box.ciphertext) + Array(box.tag))
        }
        let isOnToken = key.kind == .pkcs11
        var guarded = AgentKey(
            kind: key.kind, publicKey: key.publicKey, handle: isOnToken ? key.handle : Secret(box))
        guarded.guarded = KeyProtection(description: description, proof: isOnToken ? box : [])
        return guarded
    }

    private func opened(
        _ key: AgentKey, _ guarded: KeyProtection, _ pin: Secret
    ) async throws -> AgentKey {
        let sealed = key.kind == .pkcs11 ? guarded.proof : key.handle.reveal()
        let binding = key.publicKey.x963 ?? []
        let handle = try await BlockingCall.run {
            let opener = try PassphraseKeyProtector(pin).open(guarded.description)
            guard let box = try? AES.GCM.SealedBox(combined: sealed),
                let handle = try? AES.GCM.open(box, using: opener, authenticating: binding)
            else { throw KeyPINError.incorrect }
            return Secret(handle)
        }
        return AgentKey(kind: key.kind, publicKey: key.publicKey, handle: handle)
    }
}
