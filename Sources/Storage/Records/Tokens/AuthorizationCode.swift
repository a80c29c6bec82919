// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// An authorization code of RFC 6749 section 4.1.2, found by its keyed hash.
///
/// Its grant is inserted at redemption, with the identifier that is chosen here, so that a second
/// use can revoke it.
package struct AuthorizationCode: Sendable, Equatable {
    package var hash: [UInt8]
    package var grant: Grant
    package var redirectURI: String
    /// Whether the request named `redirect_uri`; then the token request must repeat it.
    package var redirectURIWasSent: Bool
    /// S256 challenge of 43 characters; `nil` if the confidential client sent none.
    package var codeChallenge: String?
    package var expiresAt: Timestamp

    package init(
        hash: [UInt8], grant: Grant, redirectURI: String, redirectURIWasSent: Bool,
        codeChallenge: String?, expiresAt: Timestamp
    ) {
        self.hash = hash
        self.grant = grant
        self.redirectURI = redirectURI
        self.redirectURIWasSent = redirectURIWasSent
        self.codeChallenge = codeChallenge
        self.expiresAt = expiresAt
    }
}

/// A pending device authorization, RFC 8628. Both codes are stored as keyed hashes.
package struct DeviceAuthorization: Sendable, Equatable {
    package enum State: String, Sendable { case pending, approved, denied, redeemed }

    package var deviceCodeHash: [UInt8]
    package var userCodeHash: [UInt8]
    package var project: Identifier<Project>
    package var client: Identifier<Client>
    package var scope: String
    package var state: State
    /// Set by approval; inserted as a grant by the poll that redeems it.
    package var grant: Grant?
    package var lastPolledAt: Timestamp?
    /// Seconds the client must wait between polls; grows by five with each `slow_down`.
    package var interval: Int64
    package var expiresAt: Timestamp
    /// The name that the device states, for display to a person; empty if it states none.
    package var device: String

    package init(
        deviceCodeHash: [UInt8], userCodeHash: [UInt8], project: Identifier<Project>,
        client: Identifier<Client>, scope: String, state: State = .pending, grant: Grant? = nil,
        lastPolledAt: Timestamp? = nil, interval: Int64, expiresAt: Timestamp,
        device: String = ""
    ) {
        self.deviceCodeHash = deviceCodeHash
        self.userCodeHash = userCodeHash
        self.project = project
        self.client = client
        self.scope = scope
        self.state = state
        self.grant = grant
        self.lastPolledAt = lastPolledAt
        self.interval = interval
        self.expiresAt = expiresAt
        self.device = device
    }
}
