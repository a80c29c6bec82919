// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A person's session with one browser. It is found only by the keyed hash of its cookie: `id` (the
/// `sid` claim) gives no access.
package struct Session: Sendable, Equatable {
    package var id: Identifier<Session>
    package var project: Identifier<Project>
    package var person: Identifier<Person>
    package var secretHash: [UInt8]
    /// RFC 8176 values, space-separated: the methods of the sign-in.
    package var authenticationMethods: String
    /// The person's factors, oldest first. Empty in sessions of older versions, which stored one
    /// time for all methods.
    package var factors: [AuthenticationFactor]
    /// The time of the newest factor.
    package var authenticatedAt: Timestamp
    package var lastSeenAt: Timestamp
    package var expiresAt: Timestamp
    /// The browser and system in words, for the account page.
    package var device: String
    /// The IP address of the sign-in.
    package var address: String
    /// The external object that the session depends on and ends with: a hash of the upstream
    /// provider's session (`sid`), or the identifier of the installation that handed it off.
    package var restsOn: [UInt8]?

    package init(
        id: Identifier<Session>,
        project: Identifier<Project>,
        person: Identifier<Person>,
        secretHash: [UInt8],
        authenticationMethods: String,
        factors: [AuthenticationFactor] = [],
        authenticatedAt: Timestamp,
        lastSeenAt: Timestamp,
        expiresAt: Timestamp,
        device: String = "",
        address: String = "",
        restsOn: [UInt8]? = nil
    ) {
        self.id = id
        self.project = project
        self.person = person
        self.secretHash = secretHash
        self.authenticationMethods = authenticationMethods
        self.factors = factors
        self.authenticatedAt = authenticatedAt
        self.lastSeenAt = lastSeenAt
        self.expiresAt = expiresAt
        self.device = device
        self.address = address
        self.restsOn = restsOn
    }
}
