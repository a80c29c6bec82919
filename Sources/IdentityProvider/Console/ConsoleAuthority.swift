// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import Storage

/// An administrator who is signed in: the person with the roles they have at this moment.
///
/// Read for every request, so a role that is taken away is gone with the next click.
package struct ConsoleAuthority: Sendable {
    package let signedIn: SignedIn
    package let roles: [Administrator]
    package let rights: AdministratorRights

    /// - Parameter roles: of `signedIn`'s person, at least one.
    package init(_ signedIn: SignedIn, roles: [Administrator]) {
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
package enum ConsoleAdmission: Sendable, Equatable {
    case enough
    /// The last sign-in was by password alone, and too long ago.
    case signInAgain

    /// How long a password alone opens the console.
    package static let recency = TimeSpan.minutes(30)

    /// A key that is bound to our address admits for as long as the session lasts. Anything that a
    /// stranger could have been told admits for ``recency``, counted from when it was shown: an app
    /// may hand over a session, and counts for nothing here.
    package init(_ session: Session, now: Timestamp) {
        let isStrong = session.factors.contains { factor in
            factor.credential != nil
                && factor.methods.contains { AuthenticationFactor.keyMethods.contains($0) }
        }
        // Another provider is asked anew when we ask, and may still name an older time.
        let shown = session.factors.filter(\.isSeenHere).map { factor in
            factor.isFederated && factor.credential != nil ? session.authenticatedAt : factor.at
        }
        let seen = session.factors.isEmpty ? session.authenticatedAt : shown.max()
        let isRecent = seen.map { now - $0 <= Self.recency } ?? false
        self = isStrong || isRecent ? .enough : .signInAgain
    }
}
