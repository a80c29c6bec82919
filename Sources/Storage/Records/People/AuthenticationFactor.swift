// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// One proof of a person's identity with its time.
///
/// A session stores each factor with its own time, so that a newer factor does not refresh an older
/// one.
package struct AuthenticationFactor: Sendable, Equatable {
    package var at: Timestamp
    /// RFC 8176 values in ASCII characters.
    package var methods: [String]
    /// The `acr` of the factor alone; empty if it has none.
    package var contextClass: String
    /// The stored credential that was used, if there is one.
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

    /// The ``methods`` of a key that is bound to the provider's origin (RFC 8176).
    package static let keyMethods = ["hwk", "swk", "pop"]

    /// Whether the person took part in the proof.
    ///
    /// A key of an app or device signs without a prompt. A stored credential requires the person's
    /// action. An operation that requires recent presence prompts for a factor unless this is
    /// `true`.
    package var isAttended: Bool {
        credential != nil
            || methods.contains { !Self.keyMethods.contains($0) && $0 != Self.appMethod }
    }

    /// The ``methods`` value of an app's web hand-off. RFC 8176 has no name for it.
    package static let appMethod = "app"

    /// Whether the person took part in the proof in this browser. A hand-off by an app is only as
    /// trustworthy as the app: it does not suffice for the console or for account changes.
    package var isSeenHere: Bool { isAttended && !methods.contains(Self.appMethod) }

    /// The ``methods`` value of a sign-in with an upstream provider. RFC 8176 has no name for it.
    package static let federatedMethod = "fed"

    /// Whether an upstream provider authenticated the person. ``credential`` is then the federated
    /// identity.
    package var isFederated: Bool { methods.contains(Self.federatedMethod) }

    /// Whether this factor repeats `other`. All passwords are one factor; a key equals only itself.
    func repeats(_ other: AuthenticationFactor) -> Bool {
        methods == other.methods && (credential == other.credential || methods == ["pwd"])
    }
}

extension [AuthenticationFactor] {
    /// The maximum number of factors of a session; the newest remain.
    private static var maximumCount: Int { 8 }

    /// Returns the factors with those of an older session of the same person that are not older
    /// than `horizon` and not repeated since. Oldest first.
    package func carrying(
        _ older: [AuthenticationFactor], since horizon: Timestamp
    ) -> [AuthenticationFactor] {
        let kept = older.filter { old in
            old.at >= horizon && !contains { $0.repeats(old) }
        }
        return Array((kept + self).sorted { $0.at < $1.at }.suffix(Self.maximumCount))
    }
}
