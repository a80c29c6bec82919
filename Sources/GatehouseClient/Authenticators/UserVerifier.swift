// SPDX-License-Identifier: Apache-2.0

/// A verifier that lets a key sign only after user verification on the device: biometrics, or
/// another method of the app.
///
/// The key itself must be out of reach until then. A verifier that asks first and then hands out a
/// key that it could have had all along shows nothing (OWASP MASWE-0021): keep it where the
/// hardware guards it, or sealed under what the person brings.
///
/// Keys go by name, as in a ``KeyStore``, and stay after the app has ended.
public protocol UserVerifier: Sendable {
    /// ``Authenticator/biometric`` or ``Authenticator/custom(_:)``.
    var authenticator: Authenticator { get }

    /// Whether it can be used on this device now: a sensor exists, and a person is enrolled.
    var isAvailable: Bool { get async }

    /// Creates a P-256 key that signs only after verification.
    func makeKey(_ name: RecordName) async throws -> P256PublicKey

    /// Verifies the person, and signs: ES256, 64 bytes of R and S.
    ///
    /// - Parameters:
    ///   - name: The name of the key.
    ///   - message: The message, which is hashed with SHA-256.
    ///   - prompt: The reason that the person reads.
    /// - Throws: ``UserVerificationError``.
    func signature(
        by name: RecordName, over message: [UInt8], prompt: String
    ) async throws -> [UInt8]

    /// Removes the key; nothing happens when there is none.
    func removeKey(_ name: RecordName) async throws
}

/// The reason that a verifier's key has not signed.
public enum UserVerificationError: Error, Sendable, Hashable {
    /// The person has ended it.
    case cancelled
    /// The person would rather enter the PIN.
    case wantsPIN
    /// The verification has failed, or failed too often.
    case failed(String)
    /// The key was deleted: the enrolment of the sensor has changed, or the key was removed from
    /// the device.
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
        throw StoreError.unavailable("the key of an authenticator cannot seal")
    }

    func open(_ sealed: [UInt8], context: [UInt8]) async throws -> [UInt8] {
        throw StoreError.unavailable("the key of an authenticator cannot decrypt")
    }
}
