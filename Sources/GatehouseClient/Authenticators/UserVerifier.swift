// SPDX-License-Identifier: Apache-2.0

/// Who lets a key sign only after something has happened on the device: the seam behind which
/// biometrics are, and whatever else an app has the person do.
///
/// The key itself must be out of reach until then. A verifier that asks first and then hands out a
/// key that it could have had all along shows nothing (OWASP MASWE-0021): keep it where the
/// hardware guards it, or sealed under what the person brings.
///
/// Keys go by name, as in a ``KeyStore``, and stay after the app has ended.
public protocol UserVerifier: Sendable {
    /// ``Authenticator/biometric`` or ``Authenticator/custom(_:)``.
    var authenticator: Authenticator { get }

    /// Whether it can be used on this device now: the sensor is there, and knows somebody.
    var isAvailable: Bool { get async }

    /// Makes a key on P-256 that will sign after verification only.
    func makeKey(_ name: RecordName) async throws -> P256PublicKey

    /// Has the person verify themselves, and signs: ES256, 64 bytes of R and S.
    ///
    /// - Parameters:
    ///   - name: Of the key.
    ///   - message: Is hashed with SHA-256.
    ///   - prompt: What the person is told it is for.
    /// - Throws: ``UserVerificationError``.
    func signature(
        by name: RecordName, over message: [UInt8], prompt: String
    ) async throws -> [UInt8]

    /// Removes the key; nothing happens when there is none.
    func removeKey(_ name: RecordName) async throws
}

/// Why a verifier's key has not signed.
public enum UserVerificationError: Error, Sendable, Hashable {
    /// The person has ended it.
    case cancelled
    /// The person would rather enter the PIN.
    case wantsPIN
    /// It was not them, or too often not.
    case failed(String)
    /// The key is gone: what the sensor knows has changed, or it was taken from the device.
    case invalidated
}

/// The verifier's key with a prompt, as the signatures of tokens see it.
struct VerifiedKey: StoredKey {
    let verifier: any UserVerifier
    let name: RecordName
    let prompt: String
    let publicKey: P256PublicKey

    var isHardware: Bool { false }

    func signature(over message: [UInt8]) async throws -> [UInt8] {
        do {
            return try await verifier.signature(by: name, over: message, prompt: prompt)
        } catch let error as UserVerificationError {
            throw error
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw UserVerificationError.failed("\(error)")
        }
    }

    func seal(_ plaintext: [UInt8], context: [UInt8]) async throws -> [UInt8] {
        throw StoreError.unavailable("an authenticator's key seals nothing")
    }

    func open(_ sealed: [UInt8], context: [UInt8]) async throws -> [UInt8] {
        throw StoreError.unavailable("an authenticator's key opens nothing")
    }
}
