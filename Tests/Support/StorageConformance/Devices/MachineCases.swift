// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension StoreFixture {
    fileprivate func find(
        _ key: DeviceKey, at time: Timestamp? = nil
    ) async throws -> Identifier<Device>? {
        try await store.devices.device(signingKey: key.kid, in: project.id, now: time ?? now)?.0.id
    }
}

extension ConformanceCase {
    static let machines: [ConformanceCase] =
        machineRegistrations + machineTokens + renewals + machineEnds

    private static let machineRegistrations: [ConformanceCase] = [
        ConformanceCase("a machine is found by its signing key, with both keys") { f in
            let (machine, keys) = try await f.registeredMachine(serial: "C02")
            let found = try await f.store.devices.device(
                signingKey: keys[0].kid, in: f.project.id, now: f.now)
            try expectEqual(found?.0, machine)
            try expectEqual(Set(found?.1.map(\.kid) ?? []), Set(keys.map(\.kid)))
            try expectEqual(await f.store.devices.device(machine.id), machine)
            try expectEqual(
                await f.store.devices.devices(of: f.project.id, after: nil, limit: 10), [machine])
            try expectEqual(
                await f.store.devices.devices(of: f.project.id, after: machine.id, limit: 10), [])
        },
        ConformanceCase("an encryption key, another project or a user key finds no machine") { f in
            let (machine, keys) = try await f.registeredMachine()
            try expectEqual(await f.find(keys[1]), nil)
            let elsewhere = try await f.store.devices.device(
                signingKey: keys[0].kid, in: f.identifier(), now: f.now)
            try expectEqual(elsewhere?.0, nil)
            let own = f.makeUserKey(on: machine)
            try expectEqual(
                await f.store.devices.register(f.makeUser(on: machine), key: own, now: f.now), .done
            )
            try expectEqual(await f.find(own), nil)
        },
        ConformanceCase("no machine takes the name of another's key, for whatever use") { f in
            let (_, keys) = try await f.registeredMachine(serial: "C02")
            let token = f.makeToken(uses: 3)
            try await f.store.devices.save(token)
            for taken in keys {
                for use in [DeviceKey.Use.signing, .encryption] {
                    let thief = f.makeMachine(serial: "C03")
                    var its = f.makeKeys(of: thief)
                    its[use == .signing ? 0 : 1].kid = taken.kid
                    try expectEqual(
                        await f.register(thief, its, by: .token(hash: token.hash)), .keyTaken)
                    try expectEqual(await f.store.devices.device(thief.id), nil)
                }
            }
            // What was refused has cost the token nothing.
            let tokens = try await f.store.devices.deviceTokens(
                of: f.project.id, after: nil, limit: 10)
            try expectEqual(tokens.first { $0.id == token.id }?.uses, 0)
        },
    ]

    private static let machineTokens: [ConformanceCase] = [
        ConformanceCase("a token registers up to its maximum number of uses") { f in
            let token = f.makeToken(uses: 2)
            try await f.store.devices.save(token)
            func attempt() async throws -> DeviceRegistrationOutcome {
                let machine = f.makeMachine()
                return try await f.register(
                    machine, f.makeKeys(of: machine), by: .token(hash: token.hash))
            }
            for _ in 0..<2 {
                guard case .registered = try await attempt() else {
                    throw ConformanceFailure(description: "a good token was refused")
                }
            }
            try expectEqual(await attempt(), .tokenRefused)
        },
        ConformanceCase("unknown, expired, revoked and other projects' tokens are refused") { f in
            let token = f.makeToken(serial: "C02")
            try await f.store.devices.save(token)
            let machine = f.makeMachine(serial: "C02")
            let keys = f.makeKeys(of: machine)
            let other = f.makeMachine(serial: "C03")
            let by = DeviceRegistrationAuthority.token(hash: token.hash)
            try expectEqual(
                await f.register(machine, keys, by: .token(hash: f.bytes())), .tokenRefused)
            try expectEqual(await f.register(other, f.makeKeys(of: other), by: by), .tokenRefused)
            let nameless = f.makeMachine()
            try expectEqual(
                await f.register(nameless, f.makeKeys(of: nameless), by: by), .tokenRefused)
            try expectEqual(
                await f.register(machine, keys, by: by, at: token.expiresAt), .tokenRefused)
            func revoke(_ project: Identifier<Project>) async throws -> Bool {
                try await f.store.devices.revoke(deviceToken: token.id, of: project, now: f.now)
            }
            try expect(await !revoke(f.identifier()))
            func isActive(_ project: Identifier<Project>, at time: Timestamp) async throws -> Bool {
                try await f.store.devices.isActive(deviceToken: token.hash, in: project, now: time)
            }
            try expect(await isActive(f.project.id, at: f.now))
            try expect(await !isActive(f.project.id, at: token.expiresAt))
            try expect(await !isActive(f.identifier(), at: f.now))
            try expect(await revoke(f.project.id))
            try expect(await !revoke(f.project.id))
            try expect(await !isActive(f.project.id, at: f.now))
            try expectEqual(await f.register(machine, keys, by: by), .tokenRefused)
        },
        ConformanceCase("of many machines with one token for one, one registers") { f in
            let token = f.makeToken()
            try await f.store.devices.save(token)
            let outcomes = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        let machine = f.makeMachine()
                        let outcome = try await f.register(
                            machine, f.makeKeys(of: machine), by: .token(hash: token.hash))
                        return outcome != .tokenRefused
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            try expectEqual(outcomes.filter { $0 }.count, 1)
            try expect(
                await !f.store.devices.isActive(
                    deviceToken: token.hash, in: f.project.id, now: f.now))
        },
    ]

    private static let renewals: [ConformanceCase] = [
        ConformanceCase("an open token renews no machine that is registered") { f in
            let (machine, keys) = try await f.registeredMachine(serial: "C02")
            let token = f.makeToken()
            try await f.store.devices.save(token)
            let thief = f.makeMachine(serial: "C02")
            try expectEqual(
                await f.register(thief, f.makeKeys(of: thief), by: .token(hash: token.hash)),
                .identityTaken)
            try expectEqual(await f.find(keys[0]), machine.id)
            let person = DeviceRegistrationAuthority.person(f.person.id)
            try expectEqual(
                await f.register(thief, f.makeKeys(of: thief), by: person), .identityTaken)
        },
        ConformanceCase("a token for the very machine renews it, and ends what was bound") { f in
            let (machine, keys) = try await f.registeredMachine(serial: "C02")
            let (outcome, grant) = try await f.signIn(on: machine)
            try expectEqual(outcome, .done)
            let unlock = f.makeUnlockKey(on: machine)
            try expectEqual(await f.store.unlockKeys.provision(unlock, now: f.now), unlock)
            let token = f.makeToken(serial: "C02")
            try await f.store.devices.save(token)
            let fresh = f.makeMachine(serial: "C02")
            let freshKeys = f.makeKeys(of: fresh)
            var expected = fresh
            expected.id = machine.id
            try expectEqual(
                await f.register(fresh, freshKeys, by: .token(hash: token.hash)),
                .registered(expected))
            try expectEqual(await f.find(keys[0]), nil)
            try expectEqual(await f.find(freshKeys[0]), machine.id)
            try expectEqual(await f.rotate(grant.id, 1), .unknown)
            try expectEqual(await f.store.unlockKeys.unlockKey(unlock.id, now: f.now), nil)
            try expectEqual(await f.store.devices.users(of: machine.id), [])
        },
        ConformanceCase("the person who registered a device by signing in may renew it") { f in
            let person = DeviceRegistrationAuthority.person(f.person.id)
            let first = f.makeMachine(serial: "C02", registeredBy: f.person.id)
            try expectEqual(
                await f.register(first, f.makeKeys(of: first), by: person), .registered(first))
            var second = f.makeMachine(serial: "C02", registeredBy: f.person.id)
            let keys = f.makeKeys(of: second)
            let outcome = try await f.register(second, keys, by: person)
            second.id = first.id
            try expectEqual(outcome, .registered(second))
        },
        ConformanceCase("the old key rotates keys: both live for a while, all else stays") { f in
            let (machine, keys) = try await f.registeredMachine(serial: "C02")
            let (_, grant) = try await f.signIn(on: machine)
            let fresh = f.makeKeys(of: machine, at: f.now)
            let by = DeviceRegistrationAuthority.key(of: machine.id)
            try expectEqual(await f.register(machine, fresh, by: by), .registered(machine))
            try expectEqual(await f.find(keys[0]), machine.id)
            try expectEqual(await f.find(fresh[0]), machine.id)
            try expectEqual(await f.find(keys[0], at: f.now + .hours(1)), nil)
            try expectEqual(await f.find(fresh[0], at: f.now + .hours(1)), machine.id)
            guard case .rotated = try await f.rotate(grant.id, 1) else {
                throw ConformanceFailure(description: "a rotation of keys ended a grant")
            }
            // Registering again with the keys it has changes nothing.
            try expectEqual(await f.register(machine, fresh, by: by), .registered(machine))
            try expectEqual(await f.find(fresh[0], at: f.now + .days(9)), machine.id)
            // An ended key never comes back, not even to its own machine.
            try expectEqual(await f.register(machine, keys, by: by), .keyTaken)
        },
        ConformanceCase("an attestation of the device renews it with an open token") { f in
            let (machine, keys) = try await f.registeredMachine(serial: "C02")
            let token = f.makeToken(uses: 2)
            try await f.store.devices.save(token)
            let wiped = f.makeMachine(serial: "C02")
            let fresh = f.makeKeys(of: wiped)
            let by = DeviceRegistrationAuthority.token(hash: token.hash)
            var expected = wiped
            expected.id = machine.id
            try expectEqual(
                await f.register(wiped, fresh, by: by, provesIdentity: true),
                .registered(expected))
            try expectEqual(await f.find(keys[0]), nil)
            try expectEqual(await f.find(fresh[0]), machine.id)
        },
        ConformanceCase("keys of one person become the machine's; the old ones end at once") { f in
            let person = DeviceRegistrationAuthority.person(f.person.id)
            let own = f.makeMachine(
                serial: "C02", sharing: .perUser, registeredBy: f.person.id)
            let keys = f.makeKeys(of: own)
            try expectEqual(await f.register(own, keys, by: person), .registered(own))
            let (_, grant) = try await f.signIn(on: own)
            var shared = f.makeMachine(serial: "C02")
            let fresh = f.makeKeys(of: shared)
            let by = DeviceRegistrationAuthority.key(of: own.id)
            let outcome = try await f.register(shared, fresh, by: by)
            shared.id = own.id
            shared.registeredBy = f.person.id
            try expectEqual(outcome, .registered(shared))
            try expectEqual(await f.find(keys[0]), nil)
            try expectEqual(await f.find(fresh[0]), own.id)
            guard case .rotated = try await f.rotate(grant.id, 1) else {
                throw ConformanceFailure(description: "a migration ended a grant")
            }
            // The reverse is refused: other people's keys may be among them.
            let back = f.makeMachine(
                serial: "C02", sharing: .perUser, registeredBy: f.person.id)
            try expectEqual(
                await f.register(back, f.makeKeys(of: back), by: by), .sharingNarrowed)
        },
        ConformanceCase("keys of one person never take the place of the machine's") { f in
            let (machine, keys) = try await f.registeredMachine(serial: "C02")
            let person = DeviceRegistrationAuthority.person(f.person.id)
            let own = f.makeMachine(
                serial: "C02", sharing: .perUser, registeredBy: f.person.id)
            try expectEqual(
                await f.register(own, f.makeKeys(of: own), by: person), .registered(own))
            let thief = f.makeMachine(serial: "C02")
            try expectEqual(
                await f.register(thief, f.makeKeys(of: thief), by: .key(of: own.id)),
                .identityTaken)
            try expectEqual(await f.find(keys[0]), machine.id)
        },
        ConformanceCase("keys of one person rotate with their machine's name kept") { f in
            let person = DeviceRegistrationAuthority.person(f.person.id)
            let own = f.makeMachine(
                serial: "C02", sharing: .perUser, registeredBy: f.person.id)
            try expectEqual(
                await f.register(own, f.makeKeys(of: own), by: person), .registered(own))
            // The machine does not say whose it is: the store knows.
            let again = f.makeMachine(serial: "C02", sharing: .perUser)
            try expectEqual(
                await f.register(again, f.makeKeys(of: again), by: .key(of: own.id)),
                .registered(own))
        },
        ConformanceCase("people with keys of their own register on one machine by tokens") { f in
            for _ in 0..<2 {
                _ = try await f.registeredMachine(serial: "C02", sharing: .perUser)
            }
        },
        ConformanceCase("a key proves its own machine and no other") { f in
            let (machine, _) = try await f.registeredMachine(serial: "C02")
            let (other, _) = try await f.registeredMachine(serial: "C03")
            let thief = f.makeMachine(serial: "C03")
            try expectEqual(
                await f.register(thief, f.makeKeys(of: thief), by: .key(of: machine.id)),
                .identityChanged)
            let renamed = f.makeMachine(serial: "C04")
            try expectEqual(
                await f.register(renamed, f.makeKeys(of: renamed), by: .key(of: other.id)),
                .identityChanged)
            try expectEqual(
                await f.register(thief, f.makeKeys(of: thief), by: .key(of: f.identifier())),
                .keyTaken)
        },
    ]

    private static let machineEnds: [ConformanceCase] = [
        ConformanceCase("a revoked machine has no keys, grants or unlock keys any more") { f in
            let (machine, keys) = try await f.registeredMachine(serial: "C02")
            let (_, grant) = try await f.signIn(on: machine)
            let unlock = f.makeUnlockKey(on: machine)
            _ = try await f.store.unlockKeys.provision(unlock, now: f.now)
            func revoke(_ project: Identifier<Project>) async throws -> Bool {
                try await f.store.devices.revoke(device: machine.id, of: project, now: f.now)
            }
            try expect(await !revoke(f.identifier()))
            try expect(await revoke(f.project.id))
            try expect(await !revoke(f.project.id))
            try expectEqual(await f.find(keys[0]), nil)
            try expectEqual(await f.rotate(grant.id, 1), .unknown)
            try expectEqual(await f.store.unlockKeys.unlockKey(unlock.id, now: f.now), nil)
            try expectEqual(await f.signIn(on: machine).0, .ended)
            try expectEqual(
                await f.store.unlockKeys.provision(f.makeUnlockKey(on: machine), now: f.now), nil)
            let token = f.makeToken()
            try await f.store.devices.save(token)
            let back = f.makeMachine(serial: "C02")
            try expectEqual(
                await f.register(back, keys, by: .token(hash: token.hash)), .keyTaken)
            try expectEqual(
                await f.register(back, f.makeKeys(of: back), by: .token(hash: token.hash)),
                .registered(back))
        },
        ConformanceCase("the report of device management is saved for active devices") { f in
            var (machine, _) = try await f.registeredMachine()
            let end = f.now + .days(1)
            func note(
                _ compliance: Device.Compliance?, _ project: Identifier<Project>
            ) async throws -> Bool {
                try await f.store.devices.note(
                    compliance: compliance, until: compliance.map { _ in end }, of: machine.id,
                    in: project)
            }
            try expect(await !note(.compliant, f.identifier()))
            try expect(await note(.noncompliant, f.project.id))
            machine.compliance = .noncompliant
            machine.complianceUntil = end
            try expectEqual(await f.store.devices.device(machine.id), machine)
            try expectEqual(machine.compliance(at: end), nil)
            try expect(await note(nil, f.project.id))
            try expectEqual(await f.store.devices.device(machine.id)?.compliance, nil)
            _ = try await f.store.devices.revoke(device: machine.id, of: f.project.id, now: f.now)
            try expect(await !note(.compliant, f.project.id))
        },
        ConformanceCase("a sign-in during the revocation of a device is refused") { f in
            let (machine, _) = try await f.registeredMachine()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for racer in 0..<20 {
                    group.addTask {
                        if racer == 10 {
                            _ = try await f.store.devices.revoke(
                                device: machine.id, of: f.project.id, now: f.now)
                        } else {
                            _ = try await f.signIn(on: machine)
                        }
                    }
                }
                try await group.waitForAll()
            }
            try expectEqual(await f.store.grants.grants(of: f.person.id, now: f.now), [])
        },
    ]
}
