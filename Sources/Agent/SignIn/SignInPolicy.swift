// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import SingleSignOn

/// The lifetime and the method of sign-ins, as the profile sets them.
package struct SignInPolicy: Sendable, Equatable {
    /// `LoginFrequency`: from one full login to the next; 18 hours, and an hour at least.
    package var loginFrequency: TimeSpan
    /// Whether a person's key signs in, for which there is no refresh request.
    package var usesKey: Bool
    /// Whether a full login uses a smart card instead of a password.
    package var usesCard: Bool
    /// Whether a full login is on a page of the provider.
    package var usesPage: Bool
    /// `OfflineGracePeriod`, when a policy allows it; `nil` for none.
    package var offlineGrace: TimeSpan?
    /// All groups that the provider is asked about.
    package var groups: [String]

    /// "Tokens are also renewed when older than four hours."
    package static let renewal = TimeSpan.hours(4)

    package init(
        loginFrequency: TimeSpan = .seconds(64_800), usesKey: Bool = false,
        usesCard: Bool = false, usesPage: Bool = false, offlineGrace: TimeSpan? = nil,
        groups: [String] = []
    ) {
        self.loginFrequency = max(loginFrequency, .hours(1))
        self.usesKey = usesKey
        self.usesCard = usesCard
        self.usesPage = usesPage
        self.offlineGrace = offlineGrace
        self.groups = groups
    }

    package init(_ configuration: SSOConfiguration) {
        let settings = configuration.platformSSO
        let policies =
            (settings?.loginPolicy ?? []) + (settings?.unlockPolicy ?? [])
            + (settings?.fileVaultPolicy ?? [])
        let isGraceful = policies.contains(.allowOfflineGracePeriod)
        self.init(
            loginFrequency: settings?.loginFrequency.map { .seconds($0) } ?? .seconds(64_800),
            usesKey: configuration.authenticationMethod == .userSecureEnclaveKey,
            usesCard: configuration.authenticationMethod == .smartCard,
            usesPage: configuration.authenticationMethod == .openID,
            offlineGrace: isGraceful ? settings?.offlineGracePeriod.map { .seconds($0) } : nil,
            groups: settings?.groups ?? [])
    }
}
