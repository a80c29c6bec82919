// SPDX-License-Identifier: Apache-2.0

extension IdentityClient {
    private nonisolated var enrollment: EnrollmentService {
        EnrollmentService(dependencies: dependencies, sessions: sessions)
    }

    /// Returns the authenticators with which the profile can sign in, the preferred one first, or
    /// those that can be added.
    public nonisolated func authenticators(
        of profile: Profile.ID, _ filter: AuthenticatorFilter = .registered
    ) async throws -> [Authenticator] {
        try await enrollment.authenticators(of: profile, filter)
    }

    /// Sets the authenticator with which `authenticate(_:)` starts. The default is the PIN, or the
    /// key.
    ///
    /// - Throws: ``IdentityError/Code/authenticatorNotRegistered``.
    public nonisolated func setPreferred(
        _ authenticator: Authenticator, for profile: Profile.ID
    ) async throws {
        try await enrollment.setPreferred(authenticator, for: profile)
    }

    /// Adds an authenticator to a profile. The person authenticates with the PIN, if there is one,
    /// and then with the new authenticator, whose key is registered.
    ///
    /// - Throws: The flow throws ``IdentityError`` of the domain `authenticatorRegistration`:
    ///   ``IdentityError/Code/methodNotSupported`` if the client has no such verifier or it cannot
    ///   be used on this device, ``IdentityError/Code/authenticatorNotOffered`` if the project does
    ///   not allow it, ``IdentityError/Code/alreadyRegistered``.
    public nonisolated func enroll(
        _ authenticator: Authenticator, for profile: Profile.ID
    ) -> EnrollmentFlow {
        EnrollmentFlow(.authenticatorRegistration) { [enrollment] prompter in
            try await enrollment.enroll(authenticator, for: profile, with: prompter)
        }
    }

    /// Removes an authenticator from a profile, at the provider and on this device.
    ///
    /// - Throws: ``IdentityError/Code/pinCannotBeRemoved`` for the PIN and the sign-in key, and
    ///   ``IdentityError/Code/authenticatorNotRegistered``.
    @discardableResult
    public func unenroll(
        _ authenticator: Authenticator, for profile: Profile.ID
    ) async throws -> RemovalOutcome {
        try await enrollment.unenroll(authenticator, for: profile)
    }
}
