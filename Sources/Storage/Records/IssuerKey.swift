// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A public key whose tokens a project believes when they vouch for somebody. Found by issuer and
/// `kid` together, never by `kid` alone.
package struct IssuerKey: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        /// Of somebody else's identity provider.
        case federation
        /// Made here for tests; the private part was given away once.
        case test
    }

    package var id: Identifier<IssuerKey>
    package var project: Identifier<Project>
    package var kind: Kind
    /// `iss` of its tokens.
    package var issuer: String
    package var kid: String
    /// The one algorithm that it signs with.
    package var algorithm: String
    /// Public JWK as JSON.
    package var publicJWK: String
    package var settings: IssuerKeySettings
    package var createdAt: Timestamp

    package init(
        id: Identifier<IssuerKey>, project: Identifier<Project>, kind: Kind, issuer: String,
        kid: String, algorithm: String, publicJWK: String,
        settings: IssuerKeySettings = IssuerKeySettings(), createdAt: Timestamp
    ) {
        self.id = id
        self.project = project
        self.kind = kind
        self.issuer = issuer
        self.kid = kid
        self.algorithm = algorithm
        self.publicJWK = publicJWK
        self.settings = settings
        self.createdAt = createdAt
    }
}

/// How the tokens of an issuer's key are read. Stored as JSON.
package struct IssuerKeySettings: Sendable, Equatable, Codable {
    /// `aud` of its tokens.
    package var audience = "identity-service"
    /// Whether its tokens count milliseconds, as the documentation of the Sudo Platform has it.
    package var milliseconds = false
    /// Claims that are kept with the person.
    package var attributes: [String] = []
    /// What it is for.
    package var name = ""
    /// The administrator who is responsible for it.
    package var owner = ""

    package init() {}

    /// Absent keys take their defaults, so old rows gain new settings.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func read<T: Decodable>(_ key: CodingKeys, _ value: inout T) throws {
            if let stored = try values.decodeIfPresent(T.self, forKey: key) { value = stored }
        }
        try read(.audience, &audience)
        try read(.milliseconds, &milliseconds)
        try read(.attributes, &attributes)
        try read(.name, &name)
        try read(.owner, &owner)
    }
}
