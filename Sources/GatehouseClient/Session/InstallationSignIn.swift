// SPDX-License-Identifier: Apache-2.0
import Primitives

/// Requests tokens for the installation itself: its key signs a nonce.
struct InstallationSignIn: Sendable {
    let connection: ProviderConnection
    let profiles: ProfileStore
    let clock: any WallClock
    let profile: StoredProfile
    let scopes: [String]?
    /// Returns the token endpoint for a profile.
    let endpoint: @Sendable (StoredProfile) async throws -> TokenEndpointClient

    func run() async throws -> StoredTokens {
        let profile = try await currentProfile()
        let keys = KeySignIn(
            connection: connection, endpoint: try await endpoint(profile),
            key: try await profiles.key(of: profile))
        return try await keys.runAsDevice(
            profile.installationID ?? "", keyID: profile.keyID ?? "", scopes: scopes)
    }

    var presentation: TokenPresentation {
        TokenPresentation(
            connection: connection,
            key: { try await profiles.tokenKey(of: try await currentProfile()) })
    }

    /// Returns the profile with its current key, which a new registration replaces.
    private func currentProfile() async throws -> StoredProfile {
        guard let current = try await profiles.profile(profile.id) else {
            throw IdentityError(.authentication, .notRegistered, "the profile was removed")
        }
        return current
    }
}
