// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A tenant: one issuer with its own people, clients and keys.
package struct Project: Sendable, Equatable {
    package enum Environment: String, Sendable, CaseIterable { case development, production }

    package var id: Identifier<Project>
    /// Unique; `default` is served at the issuer itself, any other at `ISSUER/p/NAME`.
    package var name: String
    package var environment: Environment
    /// The name, logo and colours of pages.
    package var theme: Theme
    /// The lifetimes and switches, see ``ProjectPolicy``.
    package var policy: ProjectPolicy
    package var createdAt: Timestamp

    package init(
        id: Identifier<Project>,
        name: String,
        environment: Environment,
        theme: Theme = Theme(),
        policy: ProjectPolicy = ProjectPolicy(),
        createdAt: Timestamp
    ) {
        self.id = id
        self.name = name
        self.environment = environment
        self.theme = theme
        self.policy = policy
        self.createdAt = createdAt
    }

    /// Whether the console requires a passkey or security key of every administrator.
    package var administratorsNeedKey: Bool {
        switch policy.administratorsNeedKey {
        case .always: true
        case .production: environment == .production
        case .never: false
        }
    }
}

/// The appearance of a project's pages. Colours are `#rrggbb`; `nil` is the default.
package struct Theme: Sendable, Equatable, Codable {
    package var displayName: String?
    /// An absolute URL of the same host, or a `data:image/…` URL.
    package var logo: String?
    package var accent: String?
    package var background: String?

    package init(
        displayName: String? = nil, logo: String? = nil, accent: String? = nil,
        background: String? = nil
    ) {
        self.displayName = displayName
        self.logo = logo
        self.accent = accent
        self.background = background
    }
}

/// A requirement that depends on the environment.
package enum KeyDemand: String, Sendable, CaseIterable, Codable { case always, production, never }

/// The policy of one project. Lifetimes are in seconds.
package struct ProjectPolicy: StoredSettings, Equatable {
    package var codeLifetime: Int64 = 60
    package var accessTokenLifetime: Int64 = 3600
    package var idTokenLifetime: Int64 = 3600
    /// Since the last use.
    package var refreshTokenIdleLifetime: Int64 = 30 * 86400
    /// Since the creation of the grant.
    package var refreshTokenLifetime: Int64 = 365 * 86400
    /// The grace period of a rotated refresh token, with the same successor. A sender-constrained
    /// token has a longer one, independent of this setting.
    package var refreshGrace: Int64 = 10
    package var sessionLifetime: Int64 = 12 * 3600
    package var sessionIdleLifetime: Int64 = 4 * 3600
    package var deviceCodeLifetime: Int64 = 600
    package var devicePollInterval: Int64 = 5
    /// Seconds for which the names of a removed person are not assigned to another person.
    package var usernameReuseDelay: Int64 = 365 * 86400
    /// Whether unauthenticated people may create an account.
    package var selfRegistration = true
    /// Whether administrators need a passkey or security key for the console (`acr` `phr`). Of the
    /// home project only.
    package var administratorsNeedKey = KeyDemand.production
    /// The policy for passkeys and security keys, a separate part of state documents.
    package var webauthn = WebAuthnPolicy()
    /// The project's associated apps, a separate part of state documents.
    package var associatedApps = AssociatedApps()
    /// The policy for app installations, a separate part of state documents.
    package var registration = RegistrationPolicy()
    /// The policy for device sign-in, a separate part of state documents.
    package var platformSSO = PlatformSSOPolicy()

    package init() {}
}
