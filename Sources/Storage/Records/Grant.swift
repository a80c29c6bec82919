// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// What a person gave a client by one authorization. Owns one family of refresh tokens.
///
/// A refresh token is not stored: it names its grant and its generation under a keyed hash, so
/// the row's `generation` alone says which token of the family is the living one.
package struct Grant: Sendable, Equatable {
    package var id: Identifier<Grant>
    package var project: Identifier<Project>
    package var client: Identifier<Client>
    package var person: Identifier<Person>
    /// The session it came from; absent for device grants approved elsewhere.
    package var session: Identifier<Session>?
    /// The app installation whose key it was given to; `nil` for all others.
    package var installation: Identifier<Installation>?
    /// The device it is bound to: its refresh tokens are good there and nowhere else.
    package var device: Identifier<Device>?
    package var scope: String
    /// Claims asked for one by one, as the request had them (JSON); empty for none.
    package var claims: String
    package var nonce: String?
    package var authenticationMethods: String
    package var authenticatedAt: Timestamp
    /// The `acr` that its tokens carry, decided when it was given; empty in grants of older
    /// versions of the program.
    package var contextClass: String
    /// Generation of the living refresh token; 0 before the first is issued.
    package var generation: Int64
    package var rotatedAt: Timestamp
    package var createdAt: Timestamp
    package var expiresAt: Timestamp
    package var revokedAt: Timestamp?

    package init(
        id: Identifier<Grant>,
        project: Identifier<Project>,
        client: Identifier<Client>,
        person: Identifier<Person>,
        session: Identifier<Session>?,
        installation: Identifier<Installation>? = nil,
        scope: String,
        claims: String = "",
        nonce: String? = nil,
        authenticationMethods: String,
        authenticatedAt: Timestamp,
        contextClass: String = "",
        generation: Int64 = 0,
        rotatedAt: Timestamp,
        createdAt: Timestamp,
        expiresAt: Timestamp,
        revokedAt: Timestamp? = nil,
        device: Identifier<Device>? = nil
    ) {
        self.id = id
        self.project = project
        self.client = client
        self.person = person
        self.session = session
        self.installation = installation
        self.device = device
        self.scope = scope
        self.claims = claims
        self.nonce = nonce
        self.authenticationMethods = authenticationMethods
        self.authenticatedAt = authenticatedAt
        self.contextClass = contextClass
        self.generation = generation
        self.rotatedAt = rotatedAt
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.revokedAt = revokedAt
    }
}

/// A person's standing permission for one client.
package struct Consent: Sendable, Equatable {
    package var project: Identifier<Project>
    package var person: Identifier<Person>
    package var client: Identifier<Client>
    /// Space-separated, everything allowed so far.
    package var scope: String
    package var givenAt: Timestamp

    package init(
        project: Identifier<Project>, person: Identifier<Person>, client: Identifier<Client>,
        scope: String, givenAt: Timestamp
    ) {
        self.project = project
        self.person = person
        self.client = client
        self.scope = scope
        self.givenAt = givenAt
    }
}
