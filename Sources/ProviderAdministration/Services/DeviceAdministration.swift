// SPDX-License-Identifier: Apache-2.0
import JOSE
package import Primitives
import ProviderCore
package import Storage

/// The registered devices of a project.
package struct DeviceAdministration: Sendable {
    private let scope: AdministrativeScope
    private var store: any ProviderStore { scope.store }

    package init(_ scope: AdministrativeScope) { self.scope = scope }

    /// A device with its keys and its users.
    package struct Overview: Sendable {
        package let device: Device
        package let keys: [DeviceKey]
        package let users: [DeviceUser]
        /// Of the users that exist.
        package let usernames: [Identifier<Person>: String]
    }

    /// The devices, including revoked ones.
    ///
    /// - Parameter text: the beginning of a serial number or a host name.
    package func list(startingWith text: String) -> AdministrativeList<Device> {
        let project = scope.project.id
        return AdministrativeList(
            "devices/\(project)", scope.caller, startingWith: text, by: [.serial, .hostName],
            all: { try await store.devices.devices(of: project, after: $0, limit: $1) },
            named: {
                try await store.devices.devices(
                    of: project, by: $0, startingWith: text, after: $1, limit: $2)
            })
    }

    package func overview(_ name: String) async throws -> AdministrativeResult<Overview> {
        guard let device = try await device(name) else { return .failure(.unknown("device")) }
        let users = try await store.devices.users(of: device.id)
        return .success(
            Overview(
                device: device, keys: try await store.devices.keys(of: device.id), users: users,
                usernames: try await store.people.usernames(of: Set(users.map(\.person)))))
    }

    /// Revokes the device, with its keys, grants and unlock keys.
    package func revoke(_ name: String) async throws -> AdministrativeResult<Void> {
        guard let device = try await device(name) else { return .failure(.unknown("device")) }
        let draft = scope.draft("admin.device.revoke", details(device))
        let isRevoked = try await scope.provider.recorded(draft) {
            try await $0.devices.revoke(device: device.id, of: device.project, now: scope.now)
        }
        return isRevoked ? .success(()) : .failure(Self.revoked)
    }

    /// Removes a person from the device, with their key, grants and unlock keys there.
    package func remove(
        user person: String, from name: String
    ) async throws -> AdministrativeResult<Void> {
        guard let device = try await device(name) else { return .failure(.unknown("device")) }
        guard let person = try await scope.person(person) else {
            return .failure(.unknown("person"))
        }
        let draft = scope.draft("admin.device.user-remove", person: person.id, details(device))
        let isRemoved = try await scope.provider.recorded(draft) {
            try await $0.devices.remove(user: person.id, from: device.id, now: scope.now)
        }
        return isRemoved ? .success(()) : .failure(.unknown("person"))
    }

    /// In seconds: one minute to 366 days.
    private static let lifetimes: ClosedRange<Int64> = 60...31_622_400
    private static let unknownCompliance = "unknown"

    /// Sets whether device management reports the device as compliant.
    ///
    /// - Parameters:
    ///   - word: a ``Device/Compliance``, or `unknown`.
    ///   - lifetime: the seconds for which the statement is valid.
    package func setCompliance(
        _ word: String, lifetime: Int64, of name: String
    ) async throws -> AdministrativeResult<Void> {
        guard let device = try await device(name) else { return .failure(.unknown("device")) }
        let state = Device.Compliance(rawValue: word)
        guard state != nil || word == Self.unknownCompliance, Self.lifetimes.contains(lifetime)
        else {
            return .failure(
                .invalid(
                    "invalid_compliance",
                    "state must be compliant, noncompliant or unknown; lifetime 60 to 31622400 "
                        + "seconds."))
        }
        let draft = scope.draft(
            "admin.device.compliance",
            ["device": .string(device.id.description), "state": .string(word)])
        let isSaved = try await scope.provider.recorded(draft) {
            try await $0.devices.note(
                compliance: state, until: state.map { _ in scope.now + .seconds(lifetime) },
                of: device.id, in: device.project)
        }
        return isSaved ? .success(()) : .failure(Self.revoked)
    }

    private func device(_ name: String) async throws -> Device? {
        guard let id = Identifier<Device>(name), let device = try await store.devices.device(id),
            device.project == scope.project.id
        else { return nil }
        return device
    }

    private func details(_ device: Device) -> JSONValue {
        ["device": .string(device.id.description)]
    }

    private static let revoked = AdministrativeRefusal.conflict(
        "revoked", "The device was revoked before.")
}
