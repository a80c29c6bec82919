// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import IdentityProvider
import JOSE
import Primitives
import Storage

/// `/projects/{project}/devices`: machines that sign people in.
struct DeviceEndpoints: Sendable {
    private let provider: Provider

    init(_ provider: Provider) { self.provider = provider }

    private static let path = "/projects/{project}/devices"

    var all: [AdminEndpoint] {
        [
            AdminEndpoint(
                .get, Self.path, "listDevices",
                "Registered devices, in order of registration, including revoked ones. Search results "
                    + "are in order of the matched value.",
                query: AdminEndpoint.search("serial number (or else name)")
                    + AdminEndpoint.paging,
                answer: "Page", run: list),
            AdminEndpoint(
                .get, Self.path + "/{device}", "showDevice",
                "One device, with its keys and users.", answer: "Device", run: show),
            AdminEndpoint(
                .post, Self.path + "/{device}/revoke", "revokeDevice",
                "Revokes the device: its keys, and all tokens and unlock keys on it.",
                run: revoke),
            AdminEndpoint(
                .delete, Self.path + "/{device}/users/{person}", "removeDeviceUser",
                "Removes a person from the device, with their key, tokens and unlock keys there.",
                run: removeUser),
            AdminEndpoint(
                .put, Self.path + "/{device}/compliance", "putDeviceCompliance",
                "Sets whether device management reports the device as compliant, and for how long.",
                body: "DeviceCompliance", run: comply),
        ]
    }

    private func list(_ call: AdminRequest) async throws -> AdminResponse {
        guard
            let project = try await provider.store.projects.project(
                named: call[parameter: "project"])
        else { return .unknown("project") }
        guard call.search.isEmpty else {
            return try await PageRequest.found(
                call, list: "devices/\(project.id)", secrets: provider.secrets,
                by: [.serial, .hostName],
                read: {
                    try await provider.store.devices.devices(
                        of: project.id, by: $0, startingWith: call.search, after: $1, limit: $2)
                }, json: { .object(Self.object($0, at: call.facts.now)) })
        }
        return try await PageRequest.answer(
            call, list: "devices/\(project.id)", secrets: provider.secrets,
            read: {
                try await provider.store.devices.devices(
                    of: project.id, after: $0.flatMap { Identifier($0) }, limit: $1)
            }, key: \.id.description,
            json: { .object(Self.object($0, at: call.facts.now)) })
    }

    private func show(_ call: AdminRequest) async throws -> AdminResponse {
        guard let device = try await device(call) else { return .unknown("device") }
        var object = Self.object(device, at: call.facts.now)
        object["keys"] = .array(try await provider.store.devices.keys(of: device.id).map(Self.json))
        let users = try await provider.store.devices.users(of: device.id)
        let names = try await provider.store.people.usernames(of: Set(users.map(\.person)))
        object["users"] = .array(
            users.map { Self.json($0, username: names[$0.person] ?? "") })
        return .value(.object(object))
    }

    private func revoke(_ call: AdminRequest) async throws -> AdminResponse {
        guard let device = try await device(call) else { return .unknown("device") }
        let draft = AuditEventDraft(
            "admin.device.revoke", in: device.project, facts: call.facts,
            details: #"{"device":"\#(device.id)"}"#)
        let isEnded = try await provider.recorded(draft) {
            try await $0.devices.revoke(device: device.id, of: device.project, now: call.facts.now)
        }
        guard isEnded else {
            return .refused(.conflict, code: "revoked", "The device was revoked before.")
        }
        return .nothing
    }

    private func removeUser(_ call: AdminRequest) async throws -> AdminResponse {
        guard let device = try await device(call) else { return .unknown("device") }
        guard let person = try await provider.person(of: call) else { return .unknown("person") }
        let draft = AuditEventDraft(
            "admin.device.user-remove", in: device.project, facts: call.facts,
            person: person.id, details: #"{"device":"\#(device.id)"}"#)
        let isRemoved = try await provider.recorded(draft) {
            try await $0.devices.remove(user: person.id, from: device.id, now: call.facts.now)
        }
        return isRemoved ? .nothing : .unknown("person")
    }

    private func comply(_ call: AdminRequest) async throws -> AdminResponse {
        guard let device = try await device(call) else { return .unknown("device") }
        let word = call.body["state"]?.string ?? ""
        let state = Device.Compliance(rawValue: word)
        let lifetime = call.body["lifetime"].map { $0.integer ?? 0 } ?? 86_400
        guard state != nil || word == "unknown", (60...31_622_400).contains(lifetime) else {
            return .refused(
                .unprocessableContent, code: "invalid_compliance",
                "state must be compliant, noncompliant or unknown; lifetime 60 to 31622400 seconds."
            )
        }
        let draft = AuditEventDraft(
            "admin.device.compliance", in: device.project, facts: call.facts,
            details: #"{"device":"\#(device.id)","state":"\#(word)"}"#)
        let isNoted = try await provider.recorded(draft) {
            try await $0.devices.note(
                compliance: state, until: state.map { _ in call.facts.now + .seconds(lifetime) },
                of: device.id, in: device.project)
        }
        guard isNoted else {
            return .refused(.conflict, code: "revoked", "The device was revoked before.")
        }
        return .nothing
    }

    private func device(_ call: AdminRequest) async throws -> Device? {
        guard
            let project = try await provider.store.projects.project(
                named: call[parameter: "project"]),
            let id = Identifier<Device>(call[parameter: "device"]),
            let device = try await provider.store.devices.device(id), device.project == project.id
        else { return nil }
        return device
    }

    /// How a machine is shown.
    static func object(_ device: Device, at now: Timestamp) -> JSONObject {
        var object = JSONObject()
        object["id"] = .string(device.id.description)
        object["state"] = .string(device.revokedAt == nil ? "active" : "revoked")
        object["host_name"] = .string(device.facts.hostName)
        object["model"] = .string(device.facts.model)
        object["serial_number"] = .string(device.facts.serial)
        object["udid"] = .string(device.facts.udid)
        object["system_version"] = .string(device.facts.systemVersion)
        object["shared_keys"] = .bool(device.sharing == .shared)
        object["attestation"] =
            (try? JSONParser.parse(Array(device.attestation.utf8), maximumBytes: 65_536)) ?? .null
        object["registered_by"] = device.registeredBy.map { .string($0.description) }
        object["registered_at"] = .string(device.registeredAt.rfc3339)
        object["last_seen_at"] = .string(device.lastSeenAt.rfc3339)
        object["compliance"] = device.compliance.map { .string($0.rawValue) }
        object["compliance_until"] = device.complianceUntil.map { .string($0.rfc3339) }
        object["compliance_counts"] = .bool(device.compliance(at: now) != nil)
        object["revoked_at"] = device.revokedAt.map { .string($0.rfc3339) }
        return object
    }

    private static func json(_ key: DeviceKey) -> JSONValue {
        var object = JSONObject()
        object["kid"] = .string(Base64URL.encode(key.kid))
        object["use"] = .string(key.use.rawValue)
        object["sub"] = key.person.map { .string($0.description) }
        object["created_at"] = .string(key.createdAt.rfc3339)
        object["ends_at"] = key.endsAt.map { .string($0.rfc3339) }
        return .object(object)
    }

    private static func json(_ user: DeviceUser, username: String) -> JSONValue {
        var object = JSONObject()
        object["sub"] = .string(user.person.description)
        object["username"] = .string(username)
        object["method"] = .string(user.method.rawValue)
        object["login_user_name"] = .string(user.loginName)
        object["registered_at"] = .string(user.registeredAt.rfc3339)
        object["last_sign_in_at"] = user.lastSignInAt.map { .string($0.rfc3339) }
        return .object(object)
    }
}
