// SPDX-License-Identifier: Apache-2.0
import OAuth
package import Primitives
package import Storage

/// An administrator who is signed in: the person with the roles they have at this moment.
///
/// Read for every request, so a role that is taken away is gone with the next click.
package struct ConsolePrincipal: Sendable {
    package let signedIn: AuthenticatedSession
    package let roles: [Administrator]
    package let rights: AdministratorRights

    /// - Parameter roles: of `signedIn`'s person, at least one.
    package init(_ signedIn: AuthenticatedSession, roles: [Administrator]) {
        self.signedIn = signedIn
        self.roles = roles
        rights = AdministratorRights(roles)
    }

    package var person: Person { signedIn.person }

    /// Whether a role of theirs reaches into the project at all: others do not learn its name.
    package func knows(_ project: Identifier<Project>) -> Bool { rights.knows(project) }

    /// - Parameter project: `nil` for what concerns every project: only a role in all counts.
    package func may(_ action: ConsoleAction, in project: Identifier<Project>?) -> Bool {
        rights.may(action, in: project)
    }

    /// Whether they see projects that are made tomorrow.
    package var reachesEveryProject: Bool { roles.contains { $0.project == nil } }

    /// The projects that they were given one by one.
    package var ownProjects: [Identifier<Project>] { roles.compactMap(\.project) }
}

/// Whether a session is good enough for the console.
package enum ConsoleAccess: Sendable, Equatable {
    case enough
    /// The last sign-in was by password alone, and too long ago.
    case signInAgain
    /// They have a passkey or security key, and have not shown it.
    case keyNeeded
    /// Everybody needs one here, and they have none.
    case keyMissing
    /// What they have shown waits for another administrator's approval.
    case approvalNeeded

    /// How long a password alone opens the console.
    package static let recency = TimeSpan.minutes(30)

    /// A key that is bound to our address admits for as long as the session lasts; who has one is
    /// asked for it. Anything that a stranger could have been told admits for ``recency``, counted from
    /// when it was shown, and only where no key is asked of all: an app may hand over a session, and
    /// counts for nothing here.
    ///
    /// - Parameters:
    ///   - credentials: of the session's person, all of them.
    ///   - needsKey: whether everybody needs a key (``Project/administratorsNeedKey``).
    package init(
        _ session: Session, credentials: [Credential], needsKey: Bool = false, now: Timestamp
    ) {
        let proof = ConsoleProof(session, credentials)
        let isRecent = proof.shownAt.map { now - $0 <= Self.recency } ?? false
        if proof.isStrong(needsKey: needsKey) || isRecent && !proof.hasKey && !needsKey {
            self = .enough
        } else if proof.hasKey {
            self = .keyNeeded
        } else if proof.isOfRecovery || needsKey && proof.hasWaitingKey {
            self = .approvalNeeded
        } else {
            self = needsKey ? .keyMissing : .signInAgain
        }
    }
}
