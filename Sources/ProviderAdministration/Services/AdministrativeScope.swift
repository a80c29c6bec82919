// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives
package import ProviderCore
import ProviderSettings
package import Storage

/// A project, and the caller who administers it. Each administrative service of a project is made
/// of one.
package struct AdministrativeScope: Sendable {
    package let caller: AdministrativeCaller
    package let project: Project

    package init(_ caller: AdministrativeCaller, _ project: Project) {
        self.caller = caller
        self.project = project
    }

    package var provider: Provider { caller.provider }
    package var facts: RequestMetadata { caller.facts }
    package var tenant: Tenant { Tenant(project: project, issuer: provider.issuer) }
    var store: any ProviderStore { provider.store }
    var now: Timestamp { facts.now }

    func ceremony(_ notices: any NotificationComposer) -> CeremonyContext {
        CeremonyContext(provider: provider, tenant: tenant, facts: facts, writer: notices)
    }

    /// Returns the person with this username or `sub`, or `nil`.
    package func person(_ name: String) async throws -> Person? {
        if let id = Identifier<Person>(name) {
            let person = try await store.people.person(id)
            return person?.project == project.id ? person : nil
        }
        guard let username = UserName.canonical(name) else { return nil }
        return try await store.people.person(username: username, in: project.id)
    }

    // MARK: Audit events

    func draft(
        _ action: String, person: Identifier<Person>? = nil, clientID: String? = nil,
        _ details: JSONValue = [:]
    ) -> AuditEventDraft {
        AuditEventDraft(
            action, in: project.id, facts: facts, person: person, clientID: clientID,
            details: details.text)
    }

    /// Runs a store operation that takes the event as an argument.
    ///
    /// - Parameter isWritten: whether an outcome says that the operation wrote the event.
    func recorded<Outcome>(
        _ draft: AuditEventDraft, if isWritten: (Outcome) -> Bool,
        _ change: (any ProviderStore, AuditEvent) async throws -> Outcome
    ) async throws -> Outcome {
        let outcome = try await change(store, provider.audit.prepare(draft))
        if isWritten(outcome) { provider.audit.wasRecorded(draft) }
        return outcome
    }
}

extension AdministrativeCaller {
    /// Applies a state document, or only returns what that would change.
    package func reconcile(
        _ document: JSONValue, writes: Bool
    ) async throws -> AdministrativeResult<[StateChange]> {
        let wanted: DesiredState
        do throws(StateDocumentError) { wanted = try StateParser.parse(document) } catch {
            return .failure(.invalid(error))
        }
        let reconciler = StateReconciler(provider, rights: rights)
        let result =
            try await writes
            ? reconciler.apply(wanted, facts: facts) : reconciler.plan(wanted)
        return result.mapError(AdministrativeRefusal.invalid)
    }

    /// Applies the state of one project that contains one resource of `kind`.
    ///
    /// - Parameter onlyNew: whether to leave an existing resource unchanged.
    func reconcile(
        _ wanted: DesiredProject, making kind: StateChange.Kind, onlyNew: Bool
    ) async throws -> AdministrativeResult<[StateChange]> {
        let state = DesiredState(projects: [wanted])
        let reconciler = StateReconciler(provider, rights: rights)
        let outcome =
            try await onlyNew
            ? reconciler.make(kind, of: state, facts: facts)
            : reconciler.change(state, facts: facts)
        return outcome?.mapError(AdministrativeRefusal.invalid) ?? .failure(.exists)
    }
}
