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
    let scope: ProjectScope
    let notices: any NotificationComposer

    func list(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.list(
            call, json: { .object(Self.object($0)) },
            { PeopleAdministration($0).list(startingWith: call.search) })
    }

    /// Runs `body` for the person of the address.
    private func person(
        _ call: AdminRequest,
        _ body: (PeopleAdministration, String) async throws -> AdminResponse
    ) async throws -> AdminResponse {
        try await scope.open(call, unknown: "person") {
            try await body(PeopleAdministration($0), call[.person])
        }
    }

    func show(_ call: AdminRequest) async throws -> AdminResponse {
        try await person(call) { people, name in
            AdminResponse(try await people.overview(name)) {
                .value(.object(Self.object($0, now: call.facts.now)))
            }
        }
    }

    func put(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call) {
            AdminResponse(
                changes: try await PeopleAdministration($0).put(
                    call[.person], call.body, onlyNew: call.onlyNew, notices: notices))
        }
    }

    func remove(_ call: AdminRequest) async throws -> AdminResponse {
        try await person(call) { AdminResponse(try await $0.remove($1)) }
    }

    func signOut(_ call: AdminRequest) async throws -> AdminResponse {
        try await person(call) { AdminResponse(try await $0.endSessions($1)) }
    }

    func removeInstallation(_ call: AdminRequest) async throws -> AdminResponse {
        try await person(call) {
            AdminResponse(
                try await $0.removeInstallation(call[.installation], of: $1))
        }
    }

    func release(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call) {
            AdminResponse(
                try await PeopleAdministration($0).release(name: call[.name]))
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
