// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// An upstream identity provider whose people may sign in.
package struct UpstreamProvider: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        /// OpenID Connect: the ID token identifies the person.
        case oidc
        /// OAuth 2.0: the user info endpoint identifies the person to the holder of an access
        /// token.
        case oauth
    }

    package var id: Identifier<UpstreamProvider>
    package var project: Identifier<Project>
    /// The name in URLs and documents; unique in the project, never changed.
    package var name: String
    package var kind: Kind
    /// Whether the provider can be used. A disabled provider cannot sign a person in, and its
    /// sessions have ended.
    package var isEnabled: Bool
    package var settings: UpstreamSettings
    /// The client secret, sealed; `nil` without one.
    package var sealedSecret: [UInt8]?
    package var createdAt: Timestamp

    package init(
        id: Identifier<UpstreamProvider>, project: Identifier<Project>, name: String, kind: Kind,
        isEnabled: Bool = true, settings: UpstreamSettings = UpstreamSettings(),
        sealedSecret: [UInt8]? = nil, createdAt: Timestamp
    ) {
        self.id = id
        self.project = project
        self.name = name
        self.kind = kind
        self.isEnabled = isEnabled
        self.settings = settings
        self.sealedSecret = sealedSecret
        self.createdAt = createdAt
    }

    /// The name for display: the text of the button, or else the name.
    package var displayName: String {
        settings.buttonText.isEmpty ? name : settings.buttonText
    }

    /// Whether people can sign in with it.
    package var signsPeopleIn: Bool { isEnabled && !settings.linkOnly }

    /// The realm (``Person/realm``) of the people that sign up with it.
    package var realm: String { Self.realmPrefix + name }

    /// Only realms of upstream providers begin with it.
    package static let realmPrefix = "idp:"
}

/// The endpoints of the provider, the client registration there, and the trust in its claims.
/// Stored as JSON.
package struct UpstreamSettings: StoredSettings, Equatable {
    /// The `iss` of its tokens and the base URL of its discovery document. Empty for OAuth 2.0.
    package var issuer = ""
    /// Empty if discovery supplies it.
    package var authorizationEndpoint = ""
    package var tokenEndpoint = ""
    package var userInfoEndpoint = ""
    package var jwksURI = ""
    /// The client id at the provider.
    package var clientID = ""
    /// `client_secret_basic`, `client_secret_post`, `private_key_jwt` or `none`.
    package var authenticationMethod = "client_secret_basic"
    package var scopes: [String] = []
    /// Local claim names, mapped to the provider's.
    package var claims: [String: String] = [:]
    /// Its `acr` values, mapped to local ones.
    package var contextClasses: [String: String] = [:]
    /// The requested values, preferred first.
    package var acrValues: [String] = []
    /// Whether an unknown person gets an account.
    package var createsPeople = false
    /// Whether `email_verified` is accepted.
    package var trustsEmail = false
    /// Whether it may be linked to an account but cannot sign a person in.
    package var linkOnly = false
    /// Whether its claims replace the stored ones at each sign-in.
    package var refreshesClaims = true
    /// The response mode: `query` or `form_post`.
    package var responseMode = "query"
    /// Whether its ID tokens must be encrypted to the project's key.
    package var encryptsIDTokens = false
    /// Whether a sign-out here also signs out at the provider, if it supports that.
    package var signsOut = true
    /// The text of the button; the provider's name if empty.
    package var buttonText = ""
    /// An image for the button in apps, as ``CustomProviderSettings/icon``.
    package var icon = ""

    package init() {}
}
