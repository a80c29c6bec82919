// SPDX-License-Identifier: Apache-2.0
import Primitives
package import Storage

/// Machines that a version recorded which compared serial numbers byte by byte, migrated. Both engines run it.
package struct SerialMigration {
    let store: any ProviderStore
    /// Runs a statement without arguments.
    let change: (String) async throws -> Void
    let migrate: () async throws -> [String]

    package init(
        _ store: any ProviderStore, migrate: @escaping () async throws -> [String],
        change: @escaping (String) async throws -> Void
    ) {
        self.store = store
        self.migrate = migrate
        self.change = change
    }

    /// Serial numbers as they were recorded, the one that was seen last at the end; what is known after.
    private static let machines: [(old: String, identity: String)] = [
        ("c0 2x", "serial/C02X"), ("D03", "serial/D03"), ("d03", "serial/d03"),
        ("e 04", "serial/e 04"), ("e04", "serial/E04"), ("G06", "serial/G06"),
    ]

    /// - Throws: ``ConformanceFailure``.
    package func run() async throws {
        let f = try await StoreFixture(store)
        var made: [Device] = []
        for (index, machine) in Self.machines.enumerated() {
            made.append(try await record(machine.old, at: index, f))
        }
        let own = try await record("f 05", at: 9, f, of: f.person)
        try await change("DELETE FROM schema_steps WHERE name = 'devices_identity_compared'")
        try expectEqual(await migrate(), ["devices_identity_compared"])
        for (device, machine) in zip(made, Self.machines) {
            try expectEqual(await f.store.devices.device(device.id)?.identity, machine.identity)
        }
        try expectEqual(
            await f.store.devices.device(own.id)?.identity, "serial/F05/\(f.person.id)")
        // A token for any machine registers none of them again, however it is spelt.
        for serial in ["C02X", "d03", "E04", "e 04", "g06"] {
            let token = f.makeToken()
            try await f.store.devices.save(token)
            let third = f.makeMachine(serial: serial)
            let outcome = try await f.register(
                third, f.makeKeys(of: third), by: .token(hash: token.hash))
            try expectEqual(outcome, .identityTaken)
        }
    }

    private func record(
        _ serial: String, at index: Int, _ f: StoreFixture, of person: Person? = nil
    ) async throws -> Device {
        var device = f.makeMachine(
            serial: "NEW\(index)", sharing: person == nil ? .shared : .perUser,
            registeredBy: person?.id)
        device.lastSeenAt = f.now + .seconds(Int64(index))
        let outcome: DeviceRegistrationOutcome
        if let person {
            outcome = try await f.register(device, f.makeKeys(of: device), by: .person(person.id))
        } else {
            let token = f.makeToken()
            try await f.store.devices.save(token)
            outcome = try await f.register(
                device, f.makeKeys(of: device), by: .token(hash: token.hash))
        }
        try expectEqual(outcome, .registered(device))
        let suffix = person.map { "/\($0.id)" } ?? ""
        try await change(
            """
            UPDATE devices SET serial = '\(serial)', identity = 'serial/\(serial)\(suffix)'
            WHERE serial = 'NEW\(index)'
            """)
        return device
    }
}
