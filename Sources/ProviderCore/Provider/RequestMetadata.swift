// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import Storage

/// The properties of a request that are known before its message is parsed.
package struct RequestMetadata: Sendable {
    package var now: Timestamp
    package var requestID: String
    /// The IP address of the peer, or the one that a listed proxy reports. The peer cannot choose
    /// it.
    package var address: String
    /// The `User-Agent` as sent, at most 512 bytes. It is only for display.
    package var userAgent: String
    /// The preferred languages, best first, lower case (`de`, `en-gb`).
    package var languages: [String]
    /// The administrator, for the audit log; `nil` outside the administration.
    package var administrator: Identifier<Person>?
    /// The API token of the administrator, if one was used.
    package var apiToken: APITokenMark?
    /// The mark of a browser in which people have signed in before; `nil` for most requests.
    package var knownBrowser: KnownBrowser?
    /// The DPoP proof of the request; `nil` for most requests.
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

/// An API token as an audit event names it.
package struct APITokenMark: Sendable, Equatable {
    package let id: Identifier<APIToken>
    package let name: String

    package init(_ token: APIToken) {
        id = token.id
        name = token.name
    }
}
