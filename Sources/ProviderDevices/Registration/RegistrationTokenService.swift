// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import ProviderCore
package import Storage

/// Creates registration tokens for administrators. A token is displayed once; the store has only
/// its keyed hash.
package struct RegistrationTokenService: Sendable {
    private let provider: Provider

    package init(_ provider: Provider) { self.provider = provider }

    package static let uses: ClosedRange<Int64> = 1...1_000_000
    /// In seconds: one minute to five years, because profiles are used for a long time.
    package static let lifetimes: ClosedRange<Int64> = 60...(5 * 366 * 86_400)
    /// The default lifetime.
    package static let defaultLifetime: Int64 = 7 * 86_400

    /// - Returns: the stored record, and the token for the profile's `RegistrationToken`.
    package func make(
        label: String, serial: String?, uses: Int64, lifetime: TimeSpan, owner: String = "",
        in project: Identifier<Project>, now: Timestamp
    ) async throws -> (RegistrationToken, text: String) {
        let drawn = draw(
            label: label, serial: serial, uses: uses, lifetime: lifetime, owner: owner,
            in: project, now: now)
        try await provider.store.devices.save(drawn.0)
        return drawn
    }

    /// Creates a token that the caller must save.
    package func draw(
        label: String, serial: String?, uses: Int64, lifetime: TimeSpan, owner: String,
        in project: Identifier<Project>, now: Timestamp
    ) -> (RegistrationToken, text: String) {
        let text = "grt_" + provider.newSecret()
        let token = RegistrationToken(
            id: Identifier(now: now, random: provider.random), project: project,
            hash: provider.secrets.hash(text.utf8, for: .deviceToken), label: label,
            serial: serial, maximumUses: uses, createdAt: now,
            expiresAt: now + lifetime, owner: owner)
        return (token, text)
    }
}
