// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import Storage

/// What the HTTP shell knows of a request before anyone reads its message.
package struct RequestMetadata: Sendable {
    package var now: Timestamp
    package var requestID: String
    /// The peer's address, or what a listed proxy says of it. Never text of the peer's choosing.
    package var address: String
    /// As sent, at most 512 bytes, for people to read only.
    package var userAgent: String
    /// Languages the reader prefers, best first, lower case (`de`, `en-gb`).
    package var languages: [String]
    /// Who administers, for the audit trail; `nil` everywhere else.
    package var administrator: Identifier<Person>?
    /// By which API token of theirs, when it is by one.
    package var apiToken: APITokenMark?
    /// That people have signed in from this browser before; `nil` for most requests.
    package var knownBrowser: KnownBrowser?
    /// What came along to prove a key; `nil` for most requests.
    package var proof: PresentedDPoPProof?

    package init(
        now: Timestamp, requestID: String, address: String, userAgent: String = "",
        languages: [String] = []
    ) {
        self.now = now
        self.requestID = requestID
        self.address = address
        self.userAgent = userAgent
        self.languages = languages
    }
}

/// An API token as the audit trail names it.
package struct APITokenMark: Sendable, Equatable {
    package let id: Identifier<APIToken>
    package let name: String

    package init(_ token: APIToken) {
        id = token.id
        name = token.name
    }
}
