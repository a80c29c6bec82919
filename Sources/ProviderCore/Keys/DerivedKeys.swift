// SPDX-License-Identifier: Apache-2.0
import Crypto
package import Primitives
package import Storage

/// Keys that are derived from the master secret of an installation. The master secret is not in the
/// database.
///
/// Each purpose has a separate key (HKDF-SHA256, RFC 5869), so a value of one purpose is invalid
/// for every other.
package struct DerivedKeys: Sendable {
    package enum Purpose: String, Sendable, CaseIterable {
        case clientSecret = "client-secret"
        case authorizationCode = "authorization-code"
        case refreshToken = "refresh-token"
        case deviceCode = "device-code"
        case userCode = "user-code"
        case approval = "approval"
        case approvalCode = "approval-code"
        case session = "session"
        case challenge = "challenge"
        case recoveryCode = "recovery-code"
        case emailCode = "email-code"
        case attempts = "attempts"
        case formToken = "form-token"
        case adminToken = "admin-token"
        case apiToken = "api-token"
        case cursor = "cursor"
        case decoy = "decoy"
        case deviceNonce = "device-nonce"
        case deviceToken = "device-token"
        case endorsement
        case upstream = "upstream"
        case webLogin = "web-login"
        case confirmation = "confirmation"
        case stateFile = "state-file"
    }

    /// HMAC states that are initialized with their key. Copying a state saves half of the work.
    private let keyed: [Purpose: HMAC<SHA256>]
    private let sealingKey: SymmetricKey
    let lendingKey: SymmetricKey
    /// Identifies the master secret, and says nothing about it or the other keys.
    package let fingerprint: [UInt8]

    /// - Parameter master: at least 32 bytes from a cryptographic random source.
    package init?(master: Secret) {
        let material = master.reveal()
        guard material.count >= 32 else { return nil }
        let input = SymmetricKey(data: material)
        func derive(_ info: String) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: input, info: Array("gatehouse/1/\(info)".utf8),
                outputByteCount: 32)
        }
        keyed = Dictionary(
            uniqueKeysWithValues: Purpose.allCases.map {
                ($0, HMAC(key: derive("hash/\($0.rawValue)")))
            })
        sealingKey = derive("seal")
        lendingKey = derive("lend")
        fingerprint = derive("fingerprint").withUnsafeBytes { Array($0) }
    }

    /// Keyed SHA-256 (HMAC, RFC 2104) of random secrets: 32 bytes.
    package func hash(_ bytes: some Sequence<UInt8>, for purpose: Purpose) -> [UInt8] {
        guard var code = keyed[purpose] else { return [] }
        code.update(data: Array(bytes))
        return Array(code.finalize())
    }

    /// Seals a private key for storage: AES-256-GCM, bound to `context`.
    package func seal(_ secret: Secret, context: String) throws -> [UInt8] {
        let box = try AES.GCM.seal(
            secret.reveal(), using: sealingKey, authenticating: Array(context.utf8))
        return Array(box.nonce) + Array(box.ciphertext) + Array(box.tag)
    }

    /// Whether the private part of the key was sealed with this master secret.
    package func opens(_ key: SigningKey) -> Bool {
        let context = ProjectKeys.context(kid: key.kid, project: key.project)
        return (try? open(key.sealedPrivateKey, context: context)) != nil
    }

    /// Opens a value of ``seal(_:context:)``. Throws if it was changed or has another context.
    package func open(_ sealed: [UInt8], context: String) throws -> Secret {
        let box = try AES.GCM.SealedBox(combined: sealed)
        return Secret(try AES.GCM.open(box, using: sealingKey, authenticating: Array(context.utf8)))
    }
}
