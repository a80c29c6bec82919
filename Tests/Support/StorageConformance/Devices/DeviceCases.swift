// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension StoreFixture {
    fileprivate func poll(
        _ device: DeviceAuthorization, after seconds: Int64, client: Identifier<Client>? = nil
    ) async throws -> DevicePollOutcome {
        try await store.grants.pollDeviceAuthorization(
            deviceCodeHash: device.deviceCodeHash, client: client ?? self.client.id,
            generation: 1, now: now + .seconds(seconds))
    }

    fileprivate func decide(_ device: DeviceAuthorization, _ grant: Grant?) async throws -> Bool {
        try await store.grants.decideDeviceAuthorization(
            userCodeHash: device.userCodeHash, grant: grant, now: now)
    }

    fileprivate func find(
        _ userCodeHash: [UInt8], within budgets: [AttemptBudget], at time: Timestamp
    ) async throws -> UserCodeOutcome {
        try await store.grants.deviceAuthorization(
            userCodeHash: userCodeHash, of: project.id, within: budgets, window: .minutes(10),
            now: time)
    }

    fileprivate func savedDevice() async throws -> DeviceAuthorization {
        let device = makeDevice()
        try await store.grants.save(device)
        return device
    }
}

extension ConformanceCase {
    static let devices: [ConformanceCase] = [
        ConformanceCase("an undecided device authorization is found by its user code") { f in
            let device = try await f.savedDevice()
            func find(_ hash: [UInt8], _ time: Timestamp) async throws -> DeviceAuthorization? {
                let outcome = try await f.find(hash, within: [], at: time)
                if case .found(let device) = outcome { return device }
                try expectEqual(outcome, .wrong)
                return nil
            }
            try expectEqual(await find(device.userCodeHash, f.now), device)
            try expectEqual(await find(device.userCodeHash, device.expiresAt), nil)
            try expectEqual(await find(device.deviceCodeHash, f.now), nil)
            var disabled = f.client
            disabled.disabled = true
            try expect(await f.store.clients.save(disabled, now: f.now))
            try expectEqual(await find(device.userCodeHash, f.now), nil)
            try expect(await f.store.clients.save(f.client, now: f.now))
            let other = try await StoreFixture(f.store)
            try expectEqual(
                await other.find(device.userCodeHash, within: [], at: f.now), .wrong)
            try expect(await f.decide(device, nil))
            try expectEqual(await find(device.userCodeHash, f.now), nil)
        },
        ConformanceCase(
            "of many wrong user codes at once no more are compared than the budgets allow"
        ) { f in
            let device = try await f.savedDevice()
            for _ in 0..<3 {
                let person = AttemptBudget(bucket: f.bytes(), limit: 10)
                let address = AttemptBudget(bucket: f.bytes(), limit: 30)
                @Sendable func guess(_ hash: [UInt8]) async throws -> UserCodeOutcome {
                    try await f.find(hash, within: [address, person], at: f.now)
                }
                // Right ones are not counted, however many there are at once.
                let right = try await race { _ in try await guess(device.userCodeHash) }
                try expect(right.allSatisfy { $0 == .found(device) })
                let buckets = [person.bucket, address.bucket]
                try expect(await f.store.attempts.attempts(in: buckets, now: f.now).isEmpty)
                let outcomes = try await race { _ in try await guess(f.bytes()) }
                try expectEqual(outcomes.count { $0 == .wrong }, 10)
                let limited = UserCodeOutcome.limited(until: f.now + .minutes(10))
                try expectEqual(outcomes.count { $0 == limited }, 40)
                try expectEqual(await guess(device.userCodeHash), limited)
                let counts = try await f.store.attempts.attempts(in: buckets, now: f.now)
                try expectEqual(buckets.map { counts[$0]?.count }, [10, 10])
            }
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
                try await f.store.grants.save(
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
            try expectEqual(await f.store.grants.grant(grant.id), nil)
            var expected = grant
            expected.generation = 1
            expected.rotatedAt = f.now + .seconds(5)
            try expectEqual(await f.poll(device, after: 5), .approved(expected))
            try expectEqual(await f.poll(device, after: 10), .unknown)
            try expectEqual(await f.store.grants.grant(grant.id), expected)
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
            _ = try await f.store.people.update(person, now: f.now)
            try expectEqual(await f.poll(device, after: 0), .denied)
        },
        ConformanceCase("a decision after the end decides nothing") { f in
            let device = try await f.savedDevice()
            let decided = try await f.store.grants.decideDeviceAuthorization(
                userCodeHash: device.userCodeHash, grant: f.makeGrant(), now: device.expiresAt)
            try expect(!decided)
        },
    ]
}
