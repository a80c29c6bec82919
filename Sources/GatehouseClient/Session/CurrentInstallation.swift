// SPDX-License-Identifier: Apache-2.0

/// This installation, without a person.
public struct CurrentInstallation: Sendable {
    let dependencies: ClientDependencies

    /// Returns a session of the installation alone, by its key and without a prompt, also if the
    /// profile has a PIN. It has the scopes that the project grants to devices
    /// (`registration.device_scopes`) and gives no access to a person's data. It is not stored.
    ///
    /// - Parameters:
    ///   - scopes: The scopes; with `nil` all scopes of a device.
    ///   - profile: The registration whose key is used; with `nil`, that of the person who signed in
    ///     last. The grant does not depend on it.
    /// - Throws: ``IdentityError/Code/notRegistered`` if this installation has no registered key,
    ///   ``IdentityError/Code/notAuthorized`` if the provider no longer accepts it, and
    ///   ``IdentityError/Code/configurationInvalid`` for scopes that a device may not have.
    public func session(
        scopes: [String]? = nil, with profile: Profile.ID? = nil
    ) async throws -> DeviceSession {
        try await IdentityError.surfacing(.authentication) {
            let profile = try await registered(profile)
            let signIn = InstallationSignIn(
                connection: dependencies.connection, profiles: dependencies.profiles,
                clock: dependencies.clock, profile: profile, scopes: scopes,
                endpoint: { try await dependencies.endpoint(of: $0) })
            return DeviceSession(signIn: signIn, tokens: try await signIn.run())
        }
    }

    /// Returns a profile with a registered key: the given one, or that of the person who signed in
    /// last, or any other.
    private func registered(_ id: Profile.ID?) async throws -> StoredProfile {
        let profiles = dependencies.profiles
        var candidates: [StoredProfile] = []
        if let id {
            if let named = try await profiles.profile(id) { candidates = [named] }
        } else {
            if let current = try await profiles.currentProfile() { candidates = [current] }
            candidates += try await profiles.all().reversed()
        }
        guard let known = candidates.first(where: { $0.installationID != nil && $0.keyID != nil })
        else {
            throw IdentityError(
                .authentication, .notRegistered, "this installation has no registered key")
        }
        return known
    }
}
