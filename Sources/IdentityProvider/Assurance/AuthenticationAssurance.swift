// SPDX-License-Identifier: Apache-2.0
package import OAuth
package import Primitives
package import Storage

/// What somebody's factors prove together, as far as they are new enough to count.
///
/// Each factor counts with its own time: a request that wants to see the person again is answered
/// from what was shown since, and from nothing older, however strong that was.
package struct AuthenticationAssurance: Sendable {
    let factors: [AuthenticationFactor]

    /// - Parameter horizon: older factors do not count, and none that shows nobody; `nil` counts all
    ///   of the session.
    package init(_ session: Session, since horizon: Timestamp? = nil) {
        self.init(Self.factors(of: session), since: horizon)
    }

    init(_ factors: [AuthenticationFactor], since horizon: Timestamp?) {
        self.factors = factors.filter { factor in
            horizon.map { factor.isAttended && factor.at >= $0 } ?? true
        }
    }

    /// The best class that is met; `nil` when nothing counts.
    package var highest: ContextClass? { factors.compactMap(reach).max() }

    package func meets(_ wanted: ContextClass) -> Bool { highest.map { $0 >= wanted } ?? false }

    /// What may be said of the person: the first class of `wanted` that is met, or the best one.
    /// Its time is that of the newest factor which carries it.
    package func claim(_ wanted: [ContextClass] = []) -> AuthenticationClaim? {
        guard let given = wanted.first(where: meets) ?? highest else { return nil }
        let carriers = factors.filter { factor in reach(of: factor).map { $0 >= given } ?? false }
        guard let time = carriers.map(\.at).max() else { return nil }
        return AuthenticationClaim(methods: methods, contextClass: given, at: time)
    }

    /// RFC 8176: every method once; `mfa` when two kinds of factor came together.
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

    /// A key without user verification is whoever's who found it: it needs another factor beside
    /// it to stand for more than one factor does, and never stands for hardware.
    private func reach(of factor: AuthenticationFactor) -> ContextClass? {
        guard let claimed = ContextClass(exactly: factor.contextClass) else { return nil }
        guard factor.isKey, !factor.methods.contains("mfa") else { return claimed }
        let isAccompanied = factors.contains { !$0.isKey }
        return min(claimed, isAccompanied ? .phishingResistant : .password)
    }

    /// Sessions of older versions of the program knew one time for all methods.
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

/// What a grant says of how and when its person signed in.
package struct AuthenticationClaim: Sendable, Equatable {
    package let methods: [String]
    package let contextClass: ContextClass
    package let at: Timestamp
}

extension AuthenticationFactor {
    /// Proof of possession of a key that is bound to our address.
    var isKey: Bool { methods.contains(where: Self.keyMethods.contains) }
}

extension ContextClass {
    /// What older versions of the program concluded from methods alone.
    static func of(methods: [String]) -> ContextClass {
        methods.contains(where: AuthenticationFactor.keyMethods.contains)
            ? .phishingResistant : .password
    }
}
