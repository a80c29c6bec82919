// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderInstallations
import ProviderPeople
import ProviderSettings
import Storage
import WebAuthn

/// `/projects/{project}/people`: who can sign in. `{person}` is a user name or a `sub`.
struct PeopleEndpoints: Sendable {
    private let scope: ProjectScope
    private let notices: any NotificationComposer

    init(_ provider: Provider, notices: any NotificationComposer) {
        scope = ProjectScope(provider)
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
        let search = call.query["search"].flatMap(UserName.canonical) ?? ""
        return try await scope.open(call) { project in
            try await PageRequest.answer(
                call, list: "people/\(project.project.id)/\(search)",
                secrets: scope.provider.secrets,
                read: {
                    try await PeopleAdministration(project).page(search, after: $0, limit: $1)
                },
                key: \.key, json: { .object(Self.object($0.person)) })
        }
    }

    /// Runs `body` for the person of the address.
    private func person(
        _ call: AdminRequest,
        _ body: (PeopleAdministration, String) async throws -> AdminResponse
    ) async throws -> AdminResponse {
        try await scope.open(call, unknown: "person") {
            try await body(PeopleAdministration($0), call[parameter: "person"])
        }
    }

    private func show(_ call: AdminRequest) async throws -> AdminResponse {
        try await person(call) { people, name in
            AdminResponse(try await people.overview(name)) {
                .value(.object(Self.object($0, now: call.facts.now)))
            }
        }
    }

    private func put(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call) {
            AdminResponse(
                changes: try await PeopleAdministration($0).put(
                    call[parameter: "person"], call.body, onlyNew: call.onlyNew, notices: notices))
        }
    }

    private func remove(_ call: AdminRequest) async throws -> AdminResponse {
        try await person(call) { AdminResponse(try await $0.remove($1)) }
    }

    private func signOut(_ call: AdminRequest) async throws -> AdminResponse {
        try await person(call) { AdminResponse(try await $0.endSessions($1)) }
    }

    private func removeInstallation(_ call: AdminRequest) async throws -> AdminResponse {
        try await person(call) {
            AdminResponse(
                try await $0.removeInstallation(call[parameter: "installation"], of: $1))
        }
    }

    private func release(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call) {
            AdminResponse(
                try await PeopleAdministration($0).release(name: call[parameter: "name"]))
        }
    }

    // MARK: JSON

    private static func object(
        _ overview: PeopleAdministration.Overview, now: Timestamp
    ) -> JSONObject {
        var object = Self.object(overview.person)
        object["credentials"] = .array(overview.credentials.map(Self.json))
        object["installations"] = .array(
            overview.installations.map { InstallationJSON.object($0) })
        object["sessions"] = .array(overview.sessions.map(Self.json))
        object["devices"] = .array(
            overview.devices.map { .object(DeviceEndpoints.object($0, at: now)) })
        return object
    }

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
