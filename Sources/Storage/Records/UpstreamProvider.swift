// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// Somebody else's identity provider, whose people may sign in here.
package struct UpstreamProvider: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        /// OpenID Connect: says who it is in an ID token.
        case oidc
        /// Plain OAuth 2: says who it is at its user info address, to whoever has an access token.
        case oauth
    }

    package var id: Identifier<UpstreamProvider>
    package var project: Identifier<Project>
    /// What it is called in addresses and documents; unique in the project, never changed.
    package var name: String
    package var kind: Kind
    /// What is not enabled lets nobody in: not on any path, and not any longer.
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
}

/// Where the provider is, who we are there, and what its word counts for. Stored as JSON.
package struct UpstreamSettings: Sendable, Equatable, Codable {
    /// `iss` of what it says; its discovery document lies below. Empty for plain OAuth 2.
    package var issuer = ""
    /// Empty for what discovery tells.
    package var authorizationEndpoint = ""
    package var tokenEndpoint = ""
    package var userInfoEndpoint = ""
    package var jwksURI = ""
    /// Who we are there.
    package var clientID = ""
    /// `client_secret_basic`, `client_secret_post`, `private_key_jwt` or `none`.
    package var authenticationMethod = "client_secret_basic"
    package var scopes: [String] = []
    /// Our claim names, and theirs.
    package var claims: [String: String] = [:]
    /// Their `acr`, and what it stands for here.
    package var contextClasses: [String: String] = [:]
    /// Asked for, best liked first.
    package var acrValues: [String] = []
    /// Whether somebody who is not known yet gets an account.
    package var createsPeople = false
    /// Whether `email_verified` is believed.
    package var trustsEmail = false
    /// Whether it may be linked to an account but lets nobody in.
    package var linkOnly = false
    /// Whether what it says of its people takes the place of what it said before, each time.
    package var refreshesClaims = true
    /// How its answers come back: `query` or `form_post`.
    package var responseMode = "query"
    /// Whether its ID tokens must be encrypted for us.
    package var encryptsIDTokens = false
    /// Whether signing out here signs out there, where it offers that.
    package var signsOut = true
    /// On the button; the provider's name when empty.
    package var buttonText = ""

    package init() {}

    /// Absent keys take their defaults, so old rows gain new settings.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func read<T: Decodable>(_ key: CodingKeys, _ value: inout T) throws {
            if let stored = try values.decodeIfPresent(T.self, forKey: key) { value = stored }
        }
        try read(.issuer, &issuer)
        try read(.authorizationEndpoint, &authorizationEndpoint)
        try read(.tokenEndpoint, &tokenEndpoint)
        try read(.userInfoEndpoint, &userInfoEndpoint)
        try read(.jwksURI, &jwksURI)
        try read(.clientID, &clientID)
        try read(.authenticationMethod, &authenticationMethod)
        try read(.scopes, &scopes)
        try read(.claims, &claims)
        try read(.contextClasses, &contextClasses)
        try read(.acrValues, &acrValues)
        try read(.createsPeople, &createsPeople)
        try read(.trustsEmail, &trustsEmail)
        try read(.linkOnly, &linkOnly)
        try read(.refreshesClaims, &refreshesClaims)
        try read(.responseMode, &responseMode)
        try read(.encryptsIDTokens, &encryptsIDTokens)
        try read(.signsOut, &signsOut)
        try read(.buttonText, &buttonText)
    }
}
