// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension StoreFixture {
    fileprivate func poll(
        _ device: DeviceAuthorization, after seconds: Int64, client: Identifier<Client>? = nil
    ) async throws -> DevicePollOutcome {
        try await store.pollDeviceAuthorization(
            deviceCodeHash: device.deviceCodeHash, client: client ?? self.client.id,
            generation: 1, now: now + .seconds(seconds))
    }

    fileprivate func decide(_ device: DeviceAuthorization, _ grant: Grant?) async throws -> Bool {
        try await store.decideDeviceAuthorization(
            userCodeHash: device.userCodeHash, grant: grant, now: now)
    }

    fileprivate func savedDevice() async throws -> DeviceAuthorization {
        let device = makeDevice()
        try await store.save(device)
        return device
    }
}

extension ConformanceCase {
    static let devices: [ConformanceCase] = [
        ConformanceCase("an undecided device authorization is found by its user code") { f in
            let device = try await f.savedDevice()
            func find(_ hash: [UInt8], _ time: Timestamp) async throws -> DeviceAuthorization? {
                try await f.store.deviceAuthorization(userCodeHash: hash, now: time)
            }
            try expectEqual(await find(device.userCodeHash, f.now), device)
            try expectEqual(await find(device.userCodeHash, device.expiresAt), nil)
            try expectEqual(await find(device.deviceCodeHash, f.now), nil)
            try expect(await f.decide(device, nil))
            try expectEqual(await find(device.userCodeHash, f.now), nil)
        },
        ConformanceCase(
            "a device authorization is saved within the limits of its client and project"
        ) {
            f in
            func save(
                _ ofClient: Int, _ ofProject: Int, at time: Timestamp? = nil
            ) async throws
                -> Bool
            {
                try await f.store.save(
                    f.makeDevice(),
                    within: OpenAuthorizations(ofClient: ofClient, ofProject: ofProject),
                    now: time ?? f.now)
            }
            try expect(await save(2, 9))
            try expect(await save(2, 9))
            try expect(await !save(2, 9))
            try expect(await !save(9, 2))
            try expect(await save(9, 3))
            // Expired authorizations do not count towards the limit.
            try expect(await save(1, 1, at: f.now + .minutes(10)))
        },
        ConformanceCase("approval is redeemed by one poll, which makes the grant") { f in
            let device = try await f.savedDevice()
            try expectEqual(await f.poll(device, after: 0), .pending)
            let grant = f.makeGrant()
            try expect(await f.decide(device, grant))
            try expect(await !f.decide(device, grant))
            try expect(await !f.decide(device, nil))
            try expectEqual(await f.store.grant(grant.id), nil)
            var expected = grant
            expected.generation = 1
            expected.rotatedAt = f.now + .seconds(5)
            try expectEqual(await f.poll(device, after: 5), .approved(expected))
            try expectEqual(await f.poll(device, after: 10), .unknown)
            try expectEqual(await f.store.grant(grant.id), expected)
        },
        ConformanceCase("polling too early slows the device down") { f in
            let device = try await f.savedDevice()
            try expectEqual(await f.poll(device, after: 0), .pending)
            try expectEqual(await f.poll(device, after: 4), .slowDown)
            try expectEqual(await f.poll(device, after: 13), .slowDown)
            try expectEqual(await f.poll(device, after: 28), .pending)
        },
        ConformanceCase("denied, over, unknown and someone else's are told apart") { f in
            let denied = try await f.savedDevice()
            try expect(await f.decide(denied, nil))
            try expectEqual(await f.poll(denied, after: 0), .denied)
            let over = try await f.savedDevice()
            try expectEqual(await f.poll(over, after: 600), .expired)
            try expectEqual(await f.poll(f.makeDevice(), after: 0), .unknown)
            try expectEqual(await f.poll(over, after: 0, client: f.identifier()), .unknown)
        },
        ConformanceCase("disabling the person takes an approval back") { f in
            let device = try await f.savedDevice()
            try expect(await f.decide(device, f.makeGrant()))
            var person = f.person
            person.disabled = true
            _ = try await f.store.update(person, now: f.now)
            try expectEqual(await f.poll(device, after: 0), .denied)
        },
        ConformanceCase("a decision after the end decides nothing") { f in
            let device = try await f.savedDevice()
            let decided = try await f.store.decideDeviceAuthorization(
                userCodeHash: device.userCodeHash, grant: f.makeGrant(), now: device.expiresAt)
            try expect(!decided)
        },
    ]
}
