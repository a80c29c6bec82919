// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A person signed in at the provider with one browser. Found by its cookie's keyed hash only:
/// knowing `id` (it is the `sid` claim) opens nothing.
package struct Session: Sendable, Equatable {
    package var id: Identifier<Session>
    package var project: Identifier<Project>
    package var person: Identifier<Person>
    package var secretHash: [UInt8]
    /// RFC 8176 values, space-separated: how the person signed in.
    package var authenticationMethods: String
    /// What they showed, each with its time, oldest first. Empty in sessions of older versions of
    /// the program, which knew one time for all methods.
    package var factors: [AuthenticationFactor]
    /// When the newest factor was shown.
    package var authenticatedAt: Timestamp
    package var lastSeenAt: Timestamp
    package var expiresAt: Timestamp
    /// The browser and system in words, for the account page.
    package var device: String
    /// The address that signed in.
    package var address: String
    /// What it rests on elsewhere, and ends with: a hash of what the provider that vouched calls its
    /// own session (`sid`), or the identifier of the installation that handed it over.
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
