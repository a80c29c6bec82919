// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// One way in for one person.
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
        /// Somebody as an issuer knows them: a hash of issuer and subject in `externalID`.
        case federatedIdentity = "federated_identity"
    }

    package var id: Identifier<Credential>
    package var project: Identifier<Project>
    package var person: Identifier<Person>
    package var kind: Kind
    /// What the credential is found by, unique for (project, kind): the WebAuthn credential id,
    /// the recovery code's keyed hash, the person's own id for a password.
    package var externalID: [UInt8]
    /// COSE key of a public-key credential, PHC string of a password; empty for recovery codes.
    package var publicPart: [UInt8]
    /// Kind-specific facts as JSON (transports, AAGUID, backup flags, format…).
    package var details: String
    /// The person's own name for it.
    package var label: String
    /// What the registration of a public-key credential proved (`passkey`, `security_key`,
    /// `attested_security_key`); empty for everything else and for rows of older versions.
    package var assurance: String
    package var signCount: Int64
    package var createdAt: Timestamp
    package var lastUsedAt: Timestamp?
    /// The upstream provider that vouches for it; `nil` for all that is not signed in with there.
    package var upstream: Identifier<UpstreamProvider>?
    /// The installation that it is an authenticator of, besides its own key; `nil` for all others.
    package var installation: Identifier<Installation>?
    /// Whether it opens no console before another administrator has approved it: it came to the
    /// account of an administrator by a way that proves less than what they had.
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
