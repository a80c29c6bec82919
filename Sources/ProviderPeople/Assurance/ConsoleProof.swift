// SPDX-License-Identifier: Apache-2.0
import OAuth
package import Primitives
import ProviderCore
package import Storage

/// The factors of a session that count for the console, with the current credentials of the person.
///
/// Single-use codes do not count: a person who can read the mailbox has them, and a person with the
/// password can create recovery codes. Credentials with a pending approval and factors of apps do
/// not count either.
package struct ConsoleProof: Sendable {
    private let session: Session
    private let credentials: [Credential]
    let factors: [AuthenticationFactor]

    /// - Parameter credentials: all credentials of the session's person.
    package init(_ session: Session, _ credentials: [Credential]) {
        // A credential that was replaced or removed does not count.
        let good = Set(credentials.filter { !$0.awaitsApproval }.map(\.id))
        self.session = session
        self.credentials = credentials
        factors = session.factors.filter { factor in
            factor.isSeenHere && !factor.methods.contains("otp")
                && factor.credential.map(good.contains) ?? true
        }
    }

    /// The passkeys and security keys that give access to the console.
    private var keys: Set<Identifier<Credential>> {
        Set(credentials.filter { $0.kind == .publicKey && !$0.awaitsApproval }.map(\.id))
    }

    package var hasKey: Bool { !keys.isEmpty }

    /// Whether the session proves one of those keys.
    var showsKey: Bool {
        let keys = keys
        return factors.contains { factor in
            factor.isKey && factor.credential.map(keys.contains) ?? false
        }
    }

    /// Whether the session proves an origin-bound key, of this provider or of a trusted upstream
    /// provider.
    var showsBoundKey: Bool { factors.contains { $0.isKey && $0.credential != nil } }

    func meets(_ wanted: ContextClass) -> Bool {
        AuthenticationAssurance(factors, since: nil).meets(wanted)
    }

    /// Whether the session proves only single-use codes and credentials with a pending approval.
    package var isOfRecovery: Bool {
        let waiting = Set(credentials.filter(\.awaitsApproval).map(\.id))
        return factors.isEmpty
            && session.factors.contains { factor in
                factor.isSeenHere
                    && (factor.methods.contains("otp")
                        || factor.credential.map(waiting.contains) ?? false)
            }
    }

    /// The newest time of a factor that counts. An upstream provider that signed the person in may
    /// report an older time, so the time of the session is used. Sessions of earlier versions have
    /// one time for all methods.
    package var shownAt: Timestamp? {
        guard !session.factors.isEmpty else { return session.authenticatedAt }
        return factors.map { factor in
            factor.isFederated && factor.credential != nil ? session.authenticatedAt : factor.at
        }.max()
    }

    /// Whether the factors give access to the console until the session ends.
    package func isStrong(needsKey: Bool) -> Bool {
        (hasKey ? showsKey : showsBoundKey) && (!needsKey || meets(.phishingResistant))
    }

    /// Whether the session proves as much as its person can. Then a credential that it adds has the
    /// same assurance as the existing ones.
    ///
    /// - Parameter needsKey: whether the console requires a key. Then a password is not enough to
    ///   add a key, unless the session began when the password was chosen with a link.
    func isWhole(needsKey: Bool) -> Bool {
        guard needsKey else { return hasKey ? showsKey : shownAt != nil }
        return isStrong(needsKey: true) || !hasKey && isOfLink
    }

    /// Whether the session began with the set-up link or the invitation with which its password was
    /// chosen. A later sign-in with that password has a later time.
    private var isOfLink: Bool {
        credentials.contains { credential in
            credential.passwordDetails?.isByLink == true
                && factors.contains {
                    $0.credential == credential.id && $0.at == credential.createdAt
                }
        }
    }

    /// Whether a key of the person has a pending approval.
    package var hasWaitingKey: Bool {
        credentials.contains { $0.kind == .publicKey && $0.awaitsApproval }
    }
}
