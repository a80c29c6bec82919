// SPDX-License-Identifier: Apache-2.0

extension UserVerificationError {
    /// Converts the error of a verifier; returns any other error unchanged.
    static func surfaced(
        _ error: any Error, of authenticator: Authenticator, in domain: IdentityError.Domain
    ) -> any Error {
        guard let error = error as? UserVerificationError else { return error }
        return switch error {
        case .cancelled: IdentityError(domain, .cancelled, "the person has cancelled")
        case .wantsPIN:
            IdentityError(domain, .cancelled, "the person has chosen to enter a PIN")
        case .failed(let text):
            IdentityError(
                domain, authenticator == .biometric ? .biometricFailed : .authenticatorFailed, text)
        case .invalidated:
            IdentityError(
                domain, .authenticatorInvalid,
                authenticator == .passkey
                    ? "the passkey is not on this device, or one exists already"
                    : "its key was deleted from the device: remove it, and add it again")
        }
    }

    /// Runs an operation with a passkey, and converts its error.
    static func surfacing<Value>(
        _ domain: IdentityError.Domain, _ body: () async throws -> Value
    ) async throws -> Value {
        do { return try await body() } catch { throw surfaced(error, of: .passkey, in: domain) }
    }
}
