// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// One thing by which somebody showed who they are, with the moment at which they did. A session
/// keeps each of them with a time of its own, so that nothing is ever said of an older one that
/// only a newer one proves.
package struct AuthenticationFactor: Sendable, Equatable {
    package var at: Timestamp
    /// RFC 8176 values: words of ASCII letters.
    package var methods: [String]
    /// The `acr` that the factor alone stands for; empty when it stands for none.
    package var contextClass: String
    /// With which credential, when it is one that is kept.
    package var credential: Identifier<Credential>?

    package init(
        at: Timestamp, methods: [String], contextClass: String,
        credential: Identifier<Credential>? = nil
    ) {
        self.at = at
        self.methods = methods
        self.contextClass = contextClass
        self.credential = credential
    }

    /// What a key that is bound to our address leaves in ``methods`` (RFC 8176).
    package static let keyMethods = ["hwk", "swk", "pop"]

    /// Whether somebody was there when it was shown. A key of an app or a device signs unasked; one
    /// that is kept among the credentials of its person is touched for it. What wants to have seen
    /// the person lately asks those who were not.
    package var isAttended: Bool {
        credential != nil
            || methods.contains { !Self.keyMethods.contains($0) && $0 != Self.appMethod }
    }

    /// What an app that hands somebody over to a browser leaves in ``methods``. RFC 8176 has no name
    /// for it.
    package static let appMethod = "app"

    /// Whether the person was there, and showed themselves in this browser. What an app says of them
    /// is worth what the app is worth: it opens no console, and changes no account.
    package var isSeenHere: Bool { isAttended && !methods.contains(Self.appMethod) }

    /// What the word of an upstream provider leaves in ``methods``. RFC 8176 has no name for it.
    package static let federatedMethod = "fed"

    /// Whether somebody else's provider vouched, with the link to it in ``credential``.
    package var isFederated: Bool { methods.contains(Self.federatedMethod) }

    /// Whether `other` is said again by this one. A password counts as one factor, whichever it
    /// was; a key is itself only.
    func repeats(_ other: AuthenticationFactor) -> Bool {
        methods == other.methods && (credential == other.credential || methods == ["pwd"])
    }
}

extension [AuthenticationFactor] {
    /// How many a session remembers: the newest.
    private static var most: Int { 8 }

    /// With those of an older session of the same person that are not older than `horizon` and
    /// have not been repeated since. Oldest first.
    package func carrying(
        _ older: [AuthenticationFactor], since horizon: Timestamp
    ) -> [AuthenticationFactor] {
        let kept = older.filter { old in
            old.at >= horizon && !contains { $0.repeats(old) }
        }
        return Array((kept + self).sorted { $0.at < $1.at }.suffix(Self.most))
    }
}
