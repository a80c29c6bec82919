// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import IdentityProvider
import JOSE
import Primitives
import Storage
import WebAuthn

/// `/projects/{project}/people`: who can sign in. `{person}` is a user name or a `sub`.
struct PeopleEndpoints: Sendable {
    private let provider: Provider
    private let notices: any NotificationComposer

    init(_ provider: Provider, notices: any NotificationComposer) {
        self.provider = provider
        self.notices = notices
    }

    private static let path = "/projects/{project}/people"

    var all: [AdminEndpoint] {
        [
            AdminEndpoint(
                .get, Self.path, "listPeople", "People, in order of user name.",
                query: Self.search + AdminEndpoint.paging, answer: "Page", run: list),
            AdminEndpoint(
                .get, Self.path + "/{person}", "showPerson",
                "One person, with credentials and sessions.", answer: "Person", run: show),
            AdminEndpoint(
                .put, Self.path + "/{person}", "putPerson",
                "Makes the person, or changes what the body names.", body: "Person",
                answer: "Changes", statuses: AdminEndpoint.making, run: put),
            AdminEndpoint(
                .delete, Self.path + "/{person}", "removePerson",
                "Removes the person and all that is bound to them.", run: remove),
            AdminEndpoint(
                .delete, Self.path + "/{person}/sessions", "endSessions",
                "Signs the person out everywhere.", run: signOut),
            AdminEndpoint(
                .delete, Self.path + "/{person}/installations/{installation}",
                "removeInstallation",
                "Ends an app installation: its key, and all that was given to it.",
                run: removeInstallation),
            AdminEndpoint(
                .delete, "/projects/{project}/held-names/{name}", "releaseName",
                "Releases a name of a removed person: a new person can have it.",
                run: release),
        ]
    }

    private static let search = [
        AdminEndpoint.Parameter(
            name: "search",
            summary: "Only people whose user name, another name or e-mail address begins so.")
    ]

    private func list(_ call: AdminRequest) async throws -> AdminResponse {
        guard
            let project = try await provider.store.projects.project(
                named: call[parameter: "project"])
        else { return .unknown("project") }
        let search = call.query["search"].flatMap(UserName.canonical) ?? ""
        return try await PageRequest.answer(
            call, list: "people/\(project.id)/\(search)", secrets: provider.secrets,
            read: {
                try await PeopleSearch(provider, project.id).page(search, after: $0, limit: $1)
            },
            key: \.key, json: { .object(Self.object($0.person)) })
    }

    /// The maximum of devices in the response for one person.
    private static let maximumDevices = 100

    private func person(_ call: AdminRequest) async throws -> Person? {
        try await provider.person(of: call)
    }

    private func show(_ call: AdminRequest) async throws -> AdminResponse {
        guard let person = try await person(call) else { return .unknown("person") }
        let credentials = try await provider.store.credentials.credentials(of: person.id)
        let sessions = try await provider.store.sessions.sessions(
            of: person.id, now: call.facts.now)
        var object = Self.object(person)
        object["credentials"] = .array(credentials.map(Self.json))
        let installations = try await provider.store.installations.installations(of: person.id)
        object["installations"] = .array(installations.map { InstallationJSON.object($0) })
        object["sessions"] = .array(sessions.map(Self.json))
        let devices = try await provider.store.devices.devices(
            usedBy: person.id, limit: Self.maximumDevices)
        object["devices"] = .array(
            devices.map { .object(DeviceEndpoints.object($0, at: call.facts.now)) })
        return .value(.object(object))
    }

    private func put(_ call: AdminRequest) async throws -> AdminResponse {
        let name = call[parameter: "project"]
        guard try await provider.store.projects.project(named: name) != nil else {
            return .unknown("project")
        }
        let known = try await person(call)
        if call.onlyNew, known != nil { return .exists }
        var wanted: DesiredPerson
        do throws(StateDocumentError) {
            wanted = try StateParser.person(
                call.body, username: known?.username ?? call[parameter: "person"])
        } catch {
            return .invalid(error)
        }
        if call.body["disabled"]?.bool == true, let known, !known.disabled,
            try await provider.store.administrators.isLastOwner(known.id)
        {
            return .lastOwner
        }
        // The qualified name, so that a person of another realm with the same name is not changed.
        if let known { wanted.username = known.qualifiedName }
        wanted.password?.isReset = true
        let answer = try await provider.reconcile(
            DesiredProject(name: name, people: [wanted]), making: .person, call)
        if let known { try await notify(known, of: answer, call) }
        return answer
    }

    /// Who sets a password can sign in with it: the person learns of it.
    private func notify(
        _ person: Person, of answer: AdminResponse, _ call: AdminRequest
    ) async throws {
        let fields = (answer.json?["changes"]?.array ?? []).flatMap { $0["fields"]?.array ?? [] }
        guard fields.contains(where: { $0["name"] == "password" }),
            let tenant = try await provider.tenant(named: call[parameter: "project"])
        else { return }
        let context = CeremonyContext(
            provider: provider, tenant: tenant, facts: call.facts, writer: notices)
        Mailer(context: context).send(.passwordChanged, to: person)
    }

    private func remove(_ call: AdminRequest) async throws -> AdminResponse {
        guard let person = try await person(call) else { return .unknown("person") }
        let draft = AuditEventDraft(
            "admin.person.remove", in: person.project, facts: call.facts, person: person.id,
            details: (["username": .string(person.username)] as JSONValue).text)
        switch try await provider.store.installations.deregister(
            person: person.id, recording: provider.audit.prepare(draft))
        {
        // No limit applies to an administrator.
        case .unknown, .limited: return .unknown("person")
        case .lastOwner: return .lastOwner
        case .removed:
            provider.audit.wasRecorded(draft)
            return .nothing
        }
    }

    private func signOut(_ call: AdminRequest) async throws -> AdminResponse {
        guard let person = try await person(call) else { return .unknown("person") }
        let draft = AuditEventDraft(
            "admin.person.sign-out", in: person.project, facts: call.facts, person: person.id,
            details: (["username": .string(person.username)] as JSONValue).text)
        try await provider.recorded(draft, always: true) {
            try await $0.sessions.endEverything(of: person.id, now: call.facts.now)
        }
        return .nothing
    }

    private func removeInstallation(_ call: AdminRequest) async throws -> AdminResponse {
        guard let person = try await person(call) else { return .unknown("person") }
        let name = call[parameter: "installation"]
        let draft = AuditEventDraft(
            "admin.installation.remove", in: person.project, facts: call.facts,
            person: person.id, details: (["installation": .string(name)] as JSONValue).text)
        guard let id = Identifier<Installation>(name),
            try await provider.store.installations.remove(
                installation: id, of: person.id, now: call.facts.now,
                recording: provider.audit.prepare(draft))
        else { return .unknown("installation") }
        provider.audit.wasRecorded(draft)
        return .nothing
    }

    private func release(_ call: AdminRequest) async throws -> AdminResponse {
        guard
            let project = try await provider.store.projects.project(
                named: call[parameter: "project"])
        else { return .unknown("project") }
        let name = call[parameter: "name"]
        let draft = AuditEventDraft(
            "admin.name.release", in: project.id, facts: call.facts,
            details: (["name": .string(name)] as JSONValue).text)
        let isReleased = try await provider.recorded(draft) {
            try await $0.people.release(name: name, of: project.id, now: call.facts.now)
        }
        return isReleased ? .nothing : .unknown("held name")
    }

    // MARK: JSON

    static func object(_ person: Person) -> JSONObject {
        var object = StateExport.object(person)
        object["sub"] = .string(person.id.description)
        if !person.realm.isEmpty { object["realm"] = .string(person.realm) }
        if person.shownName != person.username {
            object["preferred_username"] = .string(person.shownName)
        }
        object["invited_until"] = person.invitedUntil.map { .string($0.rfc3339) }
        if !person.origin.isEmpty { object["origin"] = .string(person.origin) }
        object["created_at"] = .string(person.createdAt.rfc3339)
        return object
    }

    private static func json(_ credential: Credential) -> JSONValue {
        var object = JSONObject()
        object["id"] = .string(credential.id.description)
        object["kind"] = .string(credential.kind.rawValue)
        object["label"] = .string(credential.label)
        if credential.passwordDetails?.mustChange == true { object["must_change"] = true }
        if credential.kind == .publicKey {
            let details = PasskeyDetails(credential.details)
            object["assurance"] = .string(credential.assurance)
            object["aaguid"] = .string(details.aaguid)
            object["attestation_format"] = .string(details.format)
            object["attestation_trust"] = .string(details.trust.rawValue)
            object["transports"] = .array(details.transports.map { .string($0) })
            object["backed_up"] = .bool(details.isBackedUp)
        }
        object["created_at"] = .string(credential.createdAt.rfc3339)
        object["last_used_at"] = credential.lastUsedAt.map { .string($0.rfc3339) }
        return .object(object)
    }

    private static func json(_ session: Session) -> JSONValue {
        [
            "id": .string(session.id.description), "device": .string(session.device),
            "address": .string(session.address),
            "authentication_methods": .string(session.authenticationMethods),
            "signed_in_at": .string(session.authenticatedAt.rfc3339),
            "last_seen_at": .string(session.lastSeenAt.rfc3339),
        ]
    }
}

extension Provider {
    /// Returns the person that the path of a call names by username or `sub`.
    func person(of call: AdminRequest) async throws -> Person? {
        guard let project = try await store.projects.project(named: call[parameter: "project"])
        else { return nil }
        return try await person(call[parameter: "person"], in: project)
    }

    /// - Parameter name: a user name or a `sub`.
    func person(_ name: String, in project: Project) async throws -> Person? {
        if let id = Identifier<Person>(name) {
            let person = try await store.people.person(id)
            return person?.project == project.id ? person : nil
        }
        guard let username = UserName.canonical(name) else { return nil }
        return try await store.people.person(username: username, in: project.id)
    }
}
