// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A credential of one person.
package struct Credential: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        /// Argon2id, PHC string in `publicPart`. At most one each person.
        case password
        /// A WebAuthn credential.
        case publicKey = "public_key"
        /// A one-time recovery code, keyed hash in `externalID`.
        case recoveryCode = "recovery_code"
        /// The key of an app installation: its thumbprint in `externalID`, its JWK in `publicPart`.
        case signInKey = "sign_in_key"
        /// A federated identity: `externalID` is a hash of issuer and subject.
        case federatedIdentity = "federated_identity"
    }

    package var id: Identifier<Credential>
    package var project: Identifier<Project>
    package var person: Identifier<Person>
    package var kind: Kind
    /// The lookup value of the credential, unique for (project, kind): the WebAuthn credential id,
    /// the recovery code's keyed hash, or the person's id for a password.
    package var externalID: [UInt8]
    /// COSE key of a public-key credential, PHC string of a password; empty for recovery codes.
    package var publicPart: [UInt8]
    /// Kind-specific properties as JSON (transports, AAGUID, backup flags, format…).
    package var details: String
    /// The name that the person chose.
    package var label: String
    /// The assurance that the registration of a public-key credential proved (`passkey`,
    /// `security_key`, `attested_security_key`). Empty for other kinds and for rows of older
    /// versions.
    package var assurance: String
    package var signCount: Int64
    package var createdAt: Timestamp
    package var lastUsedAt: Timestamp?
    /// The upstream provider of a federated identity; `nil` for other kinds.
    package var upstream: Identifier<UpstreamProvider>?
    /// The installation of an additional authenticator; `nil` for all other credentials.
    package var installation: Identifier<Installation>?
    /// Whether another administrator must approve the credential before it gives access to the
    /// console. That is so if an administrator received it by a weaker proof than their other
    /// credentials.
    package var awaitsApproval: Bool

    package init(
        id: Identifier<Credential>,
        project: Identifier<Project>,
        person: Identifier<Person>,
        kind: Kind,
        externalID: [UInt8],
        publicPart: [UInt8] = [],
        details: String = "{}",
        label: String = "",
        assurance: String = "",
        signCount: Int64 = 0,
        createdAt: Timestamp,
        lastUsedAt: Timestamp? = nil,
        upstream: Identifier<UpstreamProvider>? = nil,
        installation: Identifier<Installation>? = nil,
        awaitsApproval: Bool = false
    ) {
        self.id = id
        self.project = project
        self.person = person
        self.kind = kind
        self.externalID = externalID
        self.publicPart = publicPart
        self.details = details
        self.label = label
        self.assurance = assurance
        self.signCount = signCount
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
        self.upstream = upstream
        self.installation = installation
        self.awaitsApproval = awaitsApproval
    }
}
