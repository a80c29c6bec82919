// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import ProviderCore
package import Storage

/// The admission of a signed-in person to the console: their roles, and whether the session proves
/// enough.
package struct ConsoleAdmission: Sendable {
    private let provider: Provider
    private let signedIn: AuthenticatedSession
    private let home: Project
    private let facts: RequestMetadata

    /// - Parameter home: the project of the session, which is the home project.
    package init(
        _ provider: Provider, _ signedIn: AuthenticatedSession, home: Project,
        facts: RequestMetadata
    ) {
        self.provider = provider
        self.signedIn = signedIn
        self.home = home
        self.facts = facts
    }

    /// The administrator with their current roles; `nil` for a person without a role.
    package func principal() async throws -> ConsolePrincipal? {
        let roles = try await AdministratorRoles.current(of: signedIn.person.id, provider)
        return roles.isEmpty ? nil : ConsolePrincipal(signedIn, roles: roles)
    }

    package func access() async throws -> ConsoleAccess {
        ConsoleAccess(
            signedIn.session,
            credentials: try await provider.store.credentials.credentials(of: signedIn.person.id),
            needsKey: home.administratorsNeedKey, now: facts.now)
    }

    /// The reason why a person may not see a page of the console.
    package enum RefusalCode: String, Sendable {
        case keyMissing = "key_missing"
        case approvalNeeded = "approval_needed"
        case notAdministrator = "not_administrator"
        case notAllowed = "not_allowed"
    }

    /// Counts a refused request. The audit log aggregates these, because reloading a page must not
    /// fill it.
    ///
    /// - Parameter project: the project of the page; `nil` for the home project.
    package func countRefusal(
        _ code: RefusalCode, in project: Identifier<Project>? = nil
    ) async {
        await provider.audit.count(
            AuditEventDraft(
                "console.enter", in: project ?? home.id, facts: facts, code: code.rawValue,
                person: signedIn.person.id))
    }
}
