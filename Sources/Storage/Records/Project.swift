// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A tenant: one issuer with its own people, clients and keys. A row, never a process.
package struct Project: Sendable, Equatable {
    package enum Environment: String, Sendable, CaseIterable { case development, production }

    package var id: Identifier<Project>
    /// Unique; `default` is served at the issuer itself, any other at `ISSUER/p/NAME`.
    package var name: String
    package var environment: Environment
    /// Name, logo and colours that pages wear.
    package var theme: Theme
    /// Life times and switches, see ``ProjectPolicy``.
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

    /// Whether no administrator gets into the console without a passkey or security key.
    package var administratorsNeedKey: Bool {
        switch policy.administratorsNeedKey {
        case .always: true
        case .production: environment == .production
        case .never: false
        }
    }
}

/// What a project's pages look like. Colours are `#rrggbb`; `nil` means the house's own.
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

/// Of whom something is asked, by the environment.
package enum KeyDemand: String, Sendable, CaseIterable, Codable { case always, production, never }

/// Rules of one project. Life times are in seconds.
package struct ProjectPolicy: Sendable, Equatable, Codable {
    package var codeLifetime: Int64 = 60
    package var accessTokenLifetime: Int64 = 3600
    package var idTokenLifetime: Int64 = 3600
    /// Since last use.
    package var refreshTokenIdleLifetime: Int64 = 30 * 86400
    /// Since the grant was made.
    package var refreshTokenLifetime: Int64 = 365 * 86400
    /// How long a rotated refresh token still answers, with the same successor. One that is bound
    /// to a key answers for longer, whatever is said here.
    package var refreshGrace: Int64 = 10
    package var sessionLifetime: Int64 = 12 * 3600
    package var sessionIdleLifetime: Int64 = 4 * 3600
    package var deviceCodeLifetime: Int64 = 600
    package var devicePollInterval: Int64 = 5
    /// How long the names of a person who was removed are not assigned to another person.
    package var usernameReuseDelay: Int64 = 365 * 86400
    /// Whether strangers may make an account for themselves.
    package var selfRegistration = true
    /// Whether administrators need a passkey or security key for the console (`acr` `phr`). Of the
    /// home project alone.
    package var administratorsNeedKey = KeyDemand.production
    /// Rules for passkeys and security keys, a part of its own in state documents.
    package var webauthn = WebAuthnPolicy()
    /// Apps that belong to the project, a part of its own likewise.
    package var associatedApps = AssociatedApps()
    /// Rules for app installations, a part of its own in state documents.
    package var registration = RegistrationPolicy()
    /// Rules for machines that sign people in, a part of its own as well.
    package var platformSSO = PlatformSSOPolicy()

    package init() {}

    /// Absent keys take their defaults, so old rows gain new rules.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func read<T: Decodable>(_ key: CodingKeys, _ value: inout T) throws {
            if let stored = try values.decodeIfPresent(T.self, forKey: key) { value = stored }
        }
        try read(.codeLifetime, &codeLifetime)
        try read(.accessTokenLifetime, &accessTokenLifetime)
        try read(.idTokenLifetime, &idTokenLifetime)
        try read(.refreshTokenIdleLifetime, &refreshTokenIdleLifetime)
        try read(.refreshTokenLifetime, &refreshTokenLifetime)
        try read(.refreshGrace, &refreshGrace)
        try read(.sessionLifetime, &sessionLifetime)
        try read(.sessionIdleLifetime, &sessionIdleLifetime)
        try read(.deviceCodeLifetime, &deviceCodeLifetime)
        try read(.devicePollInterval, &devicePollInterval)
        try read(.usernameReuseDelay, &usernameReuseDelay)
        try read(.selfRegistration, &selfRegistration)
        try read(.administratorsNeedKey, &administratorsNeedKey)
        try read(.webauthn, &webauthn)
        try read(.associatedApps, &associatedApps)
        try read(.registration, &registration)
        try read(.platformSSO, &platformSSO)
    }
}
