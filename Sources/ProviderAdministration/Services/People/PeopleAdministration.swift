// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives
package import ProviderCore
import ProviderSettings
package import Storage

/// The people of a project. A person is named by username or `sub`.
package struct PeopleAdministration: Sendable {
    private let scope: AdministrativeScope
    private var store: any ProviderStore { scope.store }

    package init(_ scope: AdministrativeScope) { self.scope = scope }

    /// A person with their credentials, sessions, app installations and devices.
    package struct Overview: Sendable {
        package let person: Person
        package let credentials: [Credential]
        package let sessions: [Session]
        package let installations: [Installation]
        /// Last seen first; at most ``maximumDevices``.
        package let devices: [Device]
    }

    private static let maximumDevices = 100

    /// - Parameter text: the beginning of a username, another name or an email address. An empty text
    ///   finds all people.
    package func list(startingWith text: String) -> AdministrativeList<Person> {
        let text = UserName.canonical(text) ?? ""
        return AdministrativeList("people/\(scope.project.id)/\(text)", scope.caller) {
            try await PeopleSearch(scope).page(text, after: $0, limit: $1)
        }
    }

    package func overview(_ name: String) async throws -> AdministrativeResult<Overview> {
        guard let person = try await scope.person(name) else { return .failure(.unknown("person")) }
        return .success(
            Overview(
                person: person, credentials: try await store.credentials.credentials(of: person.id),
                sessions: try await store.sessions.sessions(of: person.id, now: scope.now),
                installations: try await store.installations.installations(of: person.id),
                devices: try await store.devices.devices(
                    usedBy: person.id, limit: Self.maximumDevices)))
    }

    /// Creates the person, or changes the fields of `document`. The person is notified of a new
    /// password, because the administrator can sign in with it.
    ///
    /// - Parameter document: the person as in a state document, with or without `username`.
    package func put(
        _ name: String, _ document: JSONValue, onlyNew: Bool, notices: any NotificationComposer
    ) async throws -> AdministrativeResult<[StateChange]> {
        let known = try await scope.person(name)
        if onlyNew, known != nil { return .failure(.exists) }
        var wanted: DesiredPerson
        do {
            wanted = try StateParser.person(document, username: known?.username ?? name)
        } catch {
            return .failure(.invalid(error))
        }
        if wanted.members["disabled"]?.bool == true, let known, !known.disabled,
            try await store.administrators.isLastOwner(known.id)
        {
            return .failure(.lastOwner)
        }
        // The qualified name, so that a person of another realm with the same name is not changed.
        if let known { wanted.username = known.qualifiedName }
        wanted.password?.isReset = true
        let result = try await scope.caller.reconcile(
            DesiredProject(name: scope.project.name, people: [wanted]), making: .person,
            onlyNew: onlyNew)
        if let known, case .success(let changes) = result,
            changes.contains(where: { $0.fields.contains { $0.name == "password" } })
        {
            Mailer(context: scope.ceremony(notices)).send(.passwordChanged, to: known)
        }
        return result
    }

    package func remove(_ name: String) async throws -> AdministrativeResult<Void> {
        guard let person = try await scope.person(name) else { return .failure(.unknown("person")) }
        let outcome = try await scope.recorded(
            draft("admin.person.remove", person), if: { $0 == .removed }
        ) { try await $0.installations.deregister(person: person.id, recording: $1) }
        switch outcome {
        // No limit applies to an administrator.
        case .unknown, .limited: return .failure(.unknown("person"))
        case .lastOwner: return .failure(.lastOwner)
        case .removed: return .success(())
        }
    }

    /// Ends all sessions and grants of the person.
    package func endSessions(_ name: String) async throws -> AdministrativeResult<Void> {
        guard let person = try await scope.person(name) else { return .failure(.unknown("person")) }
        try await scope.provider.recorded(draft("admin.person.sign-out", person), always: true) {
            try await $0.sessions.endEverything(of: person.id, now: scope.now)
        }
        return .success(())
    }

    /// Removes an app installation, with its key and its grants.
    package func removeInstallation(
        _ installation: String, of name: String
    ) async throws -> AdministrativeResult<Void> {
        guard let person = try await scope.person(name) else { return .failure(.unknown("person")) }
        guard let id = Identifier<Installation>(installation) else {
            return .failure(.unknown("installation"))
        }
        let draft = scope.draft(
            "admin.installation.remove", person: person.id,
            ["installation": .string(installation)])
        let isRemoved = try await scope.recorded(draft, if: { $0 }) {
            try await $0.installations.remove(
                installation: id, of: person.id, now: scope.now, recording: $1)
        }
        return isRemoved ? .success(()) : .failure(.unknown("installation"))
    }

    /// Releases a username of a removed person, so that a new person can have it.
    package func release(name: String) async throws -> AdministrativeResult<Void> {
        let draft = scope.draft("admin.name.release", ["name": .string(name)])
        let isReleased = try await scope.provider.recorded(draft) {
            try await $0.people.release(name: name, of: scope.project.id, now: scope.now)
        }
        return isReleased ? .success(()) : .failure(.unknown("held_name"))
    }

    private func draft(_ action: String, _ person: Person) -> AuditEventDraft {
        scope.draft(action, person: person.id, ["username": .string(person.username)])
    }
}
