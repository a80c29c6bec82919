// SPDX-License-Identifier: Apache-2.0
import OAuth
package import Primitives
package import ProviderCore
import ProviderPeople
package import Storage

/// A signed-in administrator with their current roles.
///
/// The roles are read for every request, so a revoked role has no effect at the next one.
package struct ConsolePrincipal: Sendable {
    package let signedIn: AuthenticatedSession
    package let roles: [Administrator]
    package let rights: AdministratorRights

    /// - Parameter roles: the roles of `signedIn`'s person, at least one.
    package init(_ signedIn: AuthenticatedSession, roles: [Administrator]) {
        self.signedIn = signedIn
        self.roles = roles
        rights = AdministratorRights(roles)
    }

    package var person: Person { signedIn.person }

    /// Whether a role gives access to the project. The name of the project is hidden from others.
    package func knows(_ project: Identifier<Project>) -> Bool { rights.knows(project) }

    /// - Parameter project: `nil` for an action on all projects, which requires a role in all of
    ///   them.
    package func may(_ action: ConsoleAction, in project: Identifier<Project>?) -> Bool {
        rights.may(action, in: project)
    }

    /// Whether a role applies to all projects, including future ones.
    package var reachesEveryProject: Bool { roles.contains { $0.project == nil } }

    /// The projects in which they have a role.
    package var ownProjects: [Identifier<Project>] { roles.compactMap(\.project) }
}

/// The evaluation of a session for access to the console.
package enum ConsoleAccess: Sendable, Equatable {
    case enough
    /// The last sign-in was by password alone, and is too old.
    case signInAgain
    /// The person has a passkey or security key, and the session does not prove it.
    case keyNeeded
    /// The project requires a key, and the person has none.
    case keyMissing
    /// The credentials of the session need the approval of another administrator.
    case approvalNeeded

    /// The time for which a password alone gives access to the console.
    package static let recency = TimeSpan.minutes(30)

    /// Evaluates a session. A key that is bound to the origin gives access until the session ends.
    /// A person who has such a key must use it. A factor that can be phished gives access for
    /// ``recency`` since its time, if the person has no key and the project requires none. Factors
    /// of apps are ignored, because an app can transfer a session to a browser.
    ///
    /// - Parameters:
    ///   - credentials: all credentials of the session's person.
    ///   - needsKey: whether a key is required (``Project/administratorsNeedKey``).
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
