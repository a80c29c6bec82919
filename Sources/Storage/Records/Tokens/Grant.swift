// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// An authorization that a person gave a client. It owns one family of refresh tokens.
///
/// A refresh token is not stored. It contains its grant and its generation under a keyed hash, so
/// the row's `generation` identifies the active token of the family.
package struct Grant: Sendable, Equatable {
    package var id: Identifier<Grant>
    package var project: Identifier<Project>
    package var client: Identifier<Client>
    package var person: Identifier<Person>
    /// The session of the authorization; `nil` for device grants that were approved elsewhere.
    package var session: Identifier<Session>?
    /// The app installation whose key received the grant; `nil` for others.
    package var installation: Identifier<Installation>?
    /// The device to which it is bound: its refresh tokens are valid only there.
    package var device: Identifier<Device>?
    package var scope: String
    /// The individually requested claims, in the request's form (JSON); empty for none.
    package var claims: String
    package var nonce: String?
    package var authenticationMethods: String
    package var authenticatedAt: Timestamp
    /// The `acr` of its tokens, determined at authorization; empty in grants of older versions.
    package var contextClass: String
    /// The generation of the active refresh token; 0 before the first is issued.
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

    /// Whether a key that is bound to the provider's origin was used.
    package var showsKey: Bool {
        methods.contains { AuthenticationFactor.keyMethods.contains(String($0)) }
    }

    /// Whether an upstream provider authenticated the person.
    package var isFederated: Bool {
        methods.contains { $0 == AuthenticationFactor.federatedMethod }
    }

    private var methods: [Substring] { authenticationMethods.split(separator: " ") }
}

/// A person's stored consent for one client.
package struct Consent: Sendable, Equatable {
    package var project: Identifier<Project>
    package var person: Identifier<Person>
    package var client: Identifier<Client>
    /// Space-separated, all scopes that were allowed so far.
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
