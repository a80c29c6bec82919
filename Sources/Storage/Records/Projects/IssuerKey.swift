// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A public key whose tokens a project accepts as evidence of a person's identity. It is found by
/// issuer and `kid` together.
package struct IssuerKey: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        /// The key of an external identity provider.
        case federation
        /// A key for tests; the provider returned its private part once.
        case test
    }

    package var id: Identifier<IssuerKey>
    package var project: Identifier<Project>
    package var kind: Kind
    /// `iss` of its tokens.
    package var issuer: String
    package var kid: String
    /// The only algorithm of its signatures.
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

/// The settings for reading an issuer's tokens. Stored as JSON.
package struct IssuerKeySettings: StoredSettings, Equatable {
    /// `aud` of its tokens.
    package var audience = "identity-service"
    /// Whether its tokens use milliseconds, as in the documentation of the Sudo Platform.
    package var milliseconds = false
    /// The claims that are stored with the person.
    package var attributes: [String] = []
    /// The purpose of the key.
    package var name = ""
    /// The administrator who is responsible for it.
    package var owner = ""

    package init() {}
}
