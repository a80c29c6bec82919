// SPDX-License-Identifier: Apache-2.0
package import OAuth
package import Primitives
package import Storage

/// The assurance that the authentication factors of a session give together.
///
/// Each factor has its own time. If a request requires a fresh sign-in, older factors are ignored,
/// whatever their class.
package struct AuthenticationAssurance: Sendable {
    package let factors: [AuthenticationFactor]

    /// - Parameter horizon: ignores factors before this time and factors without user presence.
    ///   `nil` uses all factors of the session.
    package init(_ session: Session, since horizon: Timestamp? = nil) {
        self.init(Self.factors(of: session), since: horizon)
    }

    package init(_ factors: [AuthenticationFactor], since horizon: Timestamp?) {
        self.factors = factors.filter { factor in
            horizon.map { factor.isAttended && factor.at >= $0 } ?? true
        }
    }

    /// The best class that the factors reach, or `nil` without factors.
    package var highest: ContextClass? { factors.compactMap(reach).max() }

    package func meets(_ wanted: ContextClass) -> Bool { highest.map { $0 >= wanted } ?? false }

    /// The claim for a grant: the first class of `wanted` that the factors meet, or else the best
    /// class. Its time is that of the newest factor of at least this class.
    package func claim(_ wanted: [ContextClass] = []) -> AuthenticationClaim? {
        guard let given = wanted.first(where: meets) ?? highest else { return nil }
        let carriers = factors.filter { factor in reach(of: factor).map { $0 >= given } ?? false }
        guard let time = carriers.map(\.at).max() else { return nil }
        return AuthenticationClaim(methods: methods, contextClass: given, at: time)
    }

    /// The `amr` values (RFC 8176) without duplicates. `mfa` is added for a key together with
    /// another kind of factor.
    private var methods: [String] {
        var methods: [String] = []
        for method in factors.flatMap(\.methods) where !methods.contains(method) {
            methods.append(method)
        }
        if factors.contains(where: \.isKey), factors.contains(where: { !$0.isKey }),
            !methods.contains("mfa")
        {
            methods.append("mfa")
        }
        return methods
    }

    /// The class of a factor. A key without user verification reaches at most a single-factor
    /// class, and with a factor of another kind at most the phishing-resistant one: a person who
    /// found the key could have used it.
    private func reach(of factor: AuthenticationFactor) -> ContextClass? {
        guard let claimed = ContextClass(exactly: factor.contextClass) else { return nil }
        guard factor.isKey, !factor.methods.contains("mfa") else { return claimed }
        let isAccompanied = factors.contains { !$0.isKey }
        return min(claimed, isAccompanied ? .phishingResistant : .password)
    }

    /// Sessions of earlier versions have one time for all methods.
    private static func factors(of session: Session) -> [AuthenticationFactor] {
        guard session.factors.isEmpty else { return session.factors }
        let methods = session.authenticationMethods.split(separator: " ").map(String.init)
        let context = ContextClass.of(methods: methods)
        return [
            AuthenticationFactor(
                at: session.authenticatedAt, methods: methods, contextClass: context.rawValue)
        ]
    }
}

/// The authentication statement of a grant: `amr`, `acr` and `auth_time`.
package struct AuthenticationClaim: Sendable, Equatable {
    package let methods: [String]
    package let contextClass: ContextClass
    package let at: Timestamp
}

extension AuthenticationFactor {
    /// Whether the factor is a key, which is bound to the origin of the provider.
    package var isKey: Bool { methods.contains(where: Self.keyMethods.contains) }
}

extension ContextClass {
    /// The class for sessions and grants of earlier versions, which stored only methods.
    static func of(methods: [String]) -> ContextClass {
        methods.contains(where: AuthenticationFactor.keyMethods.contains)
            ? .phishingResistant : .password
    }
}
