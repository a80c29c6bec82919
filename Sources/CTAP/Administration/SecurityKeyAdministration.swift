// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// The administration of a key by its owner: PIN, credentials, fingerprints, configuration, reset.
///
/// Each operation is displayed to the person before the key receives a command, so that a program
/// cannot erase a key under the pretext of a sign-in.
package struct SecurityKeyAdministration: Sendable {
    package let key: SecurityKey
    let interaction: any SecurityKeyInteraction
    let random: any RandomSource

    package init(
        _ key: SecurityKey, interaction: any SecurityKeyInteraction, random: any RandomSource
    ) {
        self.key = key
        self.interaction = interaction
        self.random = random
    }

    private var verification: UserVerification {
        UserVerification(key: key, interaction: interaction, random: random)
    }

    /// A token for what needs one; `nil` when the key protects nothing.
    func token(
        _ permissions: PINPermissions, _ operation: SecurityKeyOperation
    ) async throws(SecurityKeyError) -> PINUVAuthToken? {
        let info = try key.requireInfo()
        guard info.hasPIN || info.hasBuiltInVerification else { return nil }
        return try await verification.token(permissions, rpId: nil, operation)
    }

    /// Returns a token as ``token(_:_:)`` does, for operations that every key protects.
    func requiredToken(
        _ permissions: PINPermissions, _ operation: SecurityKeyOperation
    ) async throws(SecurityKeyError) -> PINUVAuthToken {
        guard let token = try await token(permissions, operation) else { throw .pinNotSet }
        return token
    }

    // MARK: PIN

    package func setPIN(_ text: String) async throws(SecurityKeyError) {
        try await key.setPIN(text, random: random)
    }

    package func changePIN(
        from current: String, to text: String
    ) async throws(SecurityKeyError) {
        try await key.changePIN(from: current, to: text, random: random)
    }

    // MARK: Reset

    /// Erases every credential, the PIN and the fingerprints (CTAP 2.2 section 6.6). Most keys
    /// allow it only in the first ten seconds after they were put in.
    package func reset() async throws(SecurityKeyError) {
        _ = try key.requireInfo()
        await interaction.show(.touch(key.description, .reset))
        _ = try await key.send(.reset, limit: SecurityKey.gestureLimit)
        try await key.refreshInfo()
    }
}
