// SPDX-License-Identifier: Apache-2.0
import OAuth
import Primitives
import Storage

/// What a session proves to the console, of the credentials that its person has now.
///
/// Codes do not count: whoever reads a mailbox has them, and whoever has a password can make them.
/// Nor does what waits for another administrator's approval, or what only an app says.
struct ConsoleProof: Sendable {
    private let session: Session
    private let credentials: [Credential]
    let factors: [AuthenticationFactor]

    /// - Parameter credentials: of the session's person, all of them.
    init(_ session: Session, _ credentials: [Credential]) {
        // One that was replaced or removed counts no more either.
        let good = Set(credentials.filter { !$0.awaitsApproval }.map(\.id))
        self.session = session
        self.credentials = credentials
        factors = session.factors.filter { factor in
            factor.isSeenHere && !factor.methods.contains("otp")
                && factor.credential.map(good.contains) ?? true
        }
    }

    /// The passkeys and security keys that open the console.
    private var keys: Set<Identifier<Credential>> {
        Set(credentials.filter { $0.kind == .publicKey && !$0.awaitsApproval }.map(\.id))
    }

    var hasKey: Bool { !keys.isEmpty }

    /// Whether one of those keys was shown.
    var showsKey: Bool {
        let keys = keys
        return factors.contains { factor in
            factor.isKey && factor.credential.map(keys.contains) ?? false
        }
    }

    /// Whether one that is bound to an address was shown: ours, or of a provider that vouches.
    var showsBoundKey: Bool { factors.contains { $0.isKey && $0.credential != nil } }

    func meets(_ wanted: ContextClass) -> Bool {
        AuthenticationAssurance(factors, since: nil).meets(wanted)
    }

    /// Whether nothing was shown but codes, and what waits for approval.
    var isOfRecovery: Bool {
        let waiting = Set(credentials.filter(\.awaitsApproval).map(\.id))
        return factors.isEmpty
            && session.factors.contains { factor in
                factor.isSeenHere
                    && (factor.methods.contains("otp")
                        || factor.credential.map(waiting.contains) ?? false)
            }
    }

    /// When something that counts was last shown. Another provider is asked anew when we ask, and may
    /// still name an older time; sessions of older versions of the program knew one time for all.
    var shownAt: Timestamp? {
        guard !session.factors.isEmpty else { return session.authenticatedAt }
        return factors.map { factor in
            factor.isFederated && factor.credential != nil ? session.authenticatedAt : factor.at
        }.max()
    }

    /// Whether what was shown opens the console for as long as the session lasts.
    func isStrong(needsKey: Bool) -> Bool {
        (hasKey ? showsKey : showsBoundKey) && (!needsKey || meets(.phishingResistant))
    }

    /// Whether the session proves as much as its person can: what it adds to the account is worth as
    /// much as what was there.
    ///
    /// - Parameter needsKey: whether the console demands a key. Then a password vouches for no key,
    ///   unless this session began when the password was chosen by a link.
    func isWhole(needsKey: Bool) -> Bool {
        guard needsKey else { return hasKey ? showsKey : shownAt != nil }
        return isStrong(needsKey: true) || !hasKey && isOfLink
    }

    /// Whether the session began with the set-up link or the invitation by which its password was
    /// chosen. A later sign-in with that password has a later time.
    private var isOfLink: Bool {
        credentials.contains { credential in
            credential.passwordDetails?.isByLink == true
                && factors.contains {
                    $0.credential == credential.id && $0.at == credential.createdAt
                }
        }
    }

    /// Whether a key of the person waits for approval.
    var hasWaitingKey: Bool {
        credentials.contains { $0.kind == .publicKey && $0.awaitsApproval }
    }
}
