// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import Storage

/// `/projects/{project}/devices`: machines that sign people in.
struct DeviceEndpoints: Sendable {
    let scope: ProjectScope

    func list(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.list(
            call, json: { .object(Self.object($0, at: call.facts.now)) },
            { DeviceAdministration($0).list(startingWith: call.search) })
    }

    /// Runs `body` for the device of the address.
    private func device(
        _ call: AdminRequest, _ body: (DeviceAdministration, String) async throws -> AdminResponse
    ) async throws -> AdminResponse {
        try await scope.open(call, unknown: "device") {
            try await body(DeviceAdministration($0), call[.device])
        }
    }

    func show(_ call: AdminRequest) async throws -> AdminResponse {
        try await device(call) {
            AdminResponse(try await $0.overview($1)) { found in
                var object = Self.object(found.device, at: call.facts.now)
                object["keys"] = .array(found.keys.map(Self.json))
                object["users"] = .array(
                    found.users.map { Self.json($0, username: found.usernames[$0.person] ?? "") })
                return .value(.object(object))
            }
        }
    }

    func revoke(_ call: AdminRequest) async throws -> AdminResponse {
        try await device(call) { AdminResponse(try await $0.revoke($1)) }
    }

    func removeUser(_ call: AdminRequest) async throws -> AdminResponse {
        try await device(call) {
            AdminResponse(try await $0.remove(user: call[.person], from: $1))
        }
    }

    func comply(_ call: AdminRequest) async throws -> AdminResponse {
        try await device(call) {
            AdminResponse(
                try await $0.setCompliance(
                    call.body["state"]?.string ?? "",
                    lifetime: call.body["lifetime"].map { $0.integer ?? 0 } ?? 86_400, of: $1))
        }
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
