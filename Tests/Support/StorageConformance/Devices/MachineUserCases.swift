// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension ConformanceCase {
    static let machineUsers: [ConformanceCase] = [
        ConformanceCase("signing in on a machine makes grant, user and event in one step") { f in
            let (machine, _) = try await f.registeredMachine()
            let later = f.now + Device.hearing
            let (outcome, grant) = try await f.signIn(on: machine, at: later)
            try expectEqual(outcome, .done)
            try expectEqual(await f.store.grants.grant(grant.id), grant)
            var user = f.makeUser(on: machine)
            user.lastSignInAt = later
            try expectEqual(await f.store.devices.users(of: machine.id), [user])
            try expectEqual(await f.store.devices.device(machine.id)?.lastSeenAt, later)
            var filter = AuditFilter()
            filter.project = f.project.id
            filter.action = "device.sign-in"
            try expectEqual(
                await f.store.auditLog.auditEvents(filter, before: nil, limit: 9).count, 1)
            // Hearing of it again so soon is not noted.
            try expectEqual(await f.signIn(on: machine, at: later + .minutes(5)).0, .done)
            try expectEqual(await f.store.devices.device(machine.id)?.lastSeenAt, later)
        },
        ConformanceCase("a nonce lets in once on a machine, and refuses without a trace") { f in
            let (machine, _) = try await f.registeredMachine()
            let nonce = OneTimeUse(
                OneTimeIdentifier(.deviceNonce, key: f.bytes()), until: f.now + .minutes(5))
            try expectEqual(await f.signIn(on: machine, using: nonce).0, .done)
            let (outcome, second) = try await f.signIn(on: machine, using: nonce)
            try expectEqual(outcome, .nonceUsed)
            try expectEqual(await f.store.grants.grant(second.id), nil)
            try expect(await !f.store.challenges.markUsed(nonce.mark, expiresAt: nonce.expiresAt))
            var filter = AuditFilter()
            filter.project = f.project.id
            filter.action = "device.sign-in"
            try expectEqual(
                await f.store.auditLog.auditEvents(filter, before: nil, limit: 9).count, 1)
        },
        ConformanceCase("the machines of a person are found, the last one heard of first") { f in
            let (first, _) = try await f.registeredMachine()
            let (second, _) = try await f.registeredMachine()
            _ = try await f.registeredMachine()
            let bea = f.makePerson("bea")
            _ = try await f.store.people.create(bea, with: [])
            _ = try await f.signIn(on: first, at: f.now + .hours(5))
            _ = try await f.signIn(on: second, at: f.now + .hours(6))
            _ = try await f.signIn(bea, on: second, at: f.now + .hours(7))
            func machines(_ person: Person, _ limit: Int = 9) async throws -> [Identifier<Device>] {
                try await f.store.devices.devices(usedBy: person.id, limit: limit).map(\.id)
            }
            try expectEqual(await machines(f.person), [second.id, first.id])
            try expectEqual(await machines(f.person, 1), [second.id])
            try expectEqual(await machines(bea), [second.id])
            _ = try await f.store.devices.revoke(device: second.id, of: f.project.id, now: f.now)
            try expectEqual(await machines(f.person), [second.id, first.id])
        },
        ConformanceCase("a person's machines are shown with whether each holds a key for them") {
            f in
            let (first, _) = try await f.registeredMachine()
            let (second, _) = try await f.registeredMachine()
            let (third, _) = try await f.registeredMachine()
            _ = try await f.store.devices.register(
                f.makeUser(on: first), key: f.makeUserKey(on: first), now: f.now)
            _ = try await f.store.devices.register(f.makeUser(on: second), key: nil, now: f.now)
            let bea = f.makePerson("bea")
            _ = try await f.store.people.create(bea, with: [])
            // Another person's key on one's device is not one's own.
            _ = try await f.store.devices.register(
                f.makeUser(on: second, bea), key: f.makeUserKey(on: second, of: bea), now: f.now)
            _ = try await f.store.devices.register(
                f.makeUser(on: third), key: f.makeUserKey(on: third), now: f.now)
            _ = try await f.store.devices.revoke(device: third.id, of: f.project.id, now: f.now)
            func keys(
                _ person: Person, _ limit: Int = 9
            ) async throws
                -> [Identifier<Device>: Timestamp?]
            {
                let machines = try await f.store.devices.machines(
                    of: person.id, now: f.now + .minutes(1), limit: limit)
                try expect(machines.allSatisfy { $0.user.person == person.id })
                return Dictionary(
                    machines.map { ($0.device.id, $0.keyMadeAt) }, uniquingKeysWith: { $1 })
            }
            try expectEqual(await keys(f.person), [first.id: f.now, second.id: nil])
            try expectEqual(await keys(bea), [second.id: f.now])
            try expectEqual(await keys(f.person, 1).count, 1)
            try expect(
                await f.store.devices.remove(user: f.person.id, from: first.id, now: f.now))
            try expectEqual(await keys(f.person), [second.id: nil])
        },
        ConformanceCase("a person who is taken off a machine leaves nothing there") { f in
            let (machine, keys) = try await f.registeredMachine()
            let (other, _) = try await f.registeredMachine()
            let bea = f.makePerson("bea")
            _ = try await f.store.people.create(bea, with: [])
            let key = f.makeUserKey(on: machine)
            _ = try await f.store.devices.register(f.makeUser(on: machine), key: key, now: f.now)
            let (_, ended) = try await f.signIn(on: machine)
            let (_, elsewhere) = try await f.signIn(on: other)
            let (_, others) = try await f.signIn(bea, on: machine)
            try expect(
                await f.store.devices.remove(user: f.person.id, from: machine.id, now: f.now))
            try expectEqual(await f.store.devices.users(of: machine.id).map(\.person), [bea.id])
            try expectEqual(
                await f.store.devices.userKeys(of: f.person.id, on: machine.id, now: f.now), [])
            try expectEqual(await f.store.grants.grant(ended.id)?.revokedAt, f.now)
            try expectEqual(await f.store.grants.grant(elsewhere.id), elsewhere)
            try expectEqual(await f.store.grants.grant(others.id), others)
            try expectEqual(
                await f.store.devices.device(
                    signingKey: keys[0].kid, in: f.project.id, now: f.now)?.0.id, machine.id)
            try expect(
                await !f.store.devices.remove(user: f.person.id, from: machine.id, now: f.now))
            try expectEqual(await f.signIn(on: machine).0, .done)
        },
        ConformanceCase("the grant before ends soon, that of another person does not") { f in
            let (machine, _) = try await f.registeredMachine()
            let bea = f.makePerson("bea")
            _ = try await f.store.people.create(bea, with: [])
            let (_, first) = try await f.signIn(on: machine)
            let (_, others) = try await f.signIn(bea, on: machine)
            _ = try await f.signIn(on: machine)
            try expectEqual(
                await f.store.grants.grant(first.id)?.expiresAt, f.now + .minutes(10))
            try expectEqual(await f.store.grants.grant(others.id), others)
        },
        ConformanceCase("a disabled person or client is not let in on a machine") { f in
            let (machine, _) = try await f.registeredMachine()
            var client = f.client
            client.disabled = true
            _ = try await f.store.clients.save(client, now: f.now)
            try expectEqual(await f.signIn(on: machine).0, .ended)
            _ = try await f.store.clients.save(f.client, now: f.now)
            var person = f.person
            person.disabled = true
            _ = try await f.store.people.update(person, now: f.now)
            try expectEqual(await f.signIn(on: machine).0, .ended)
            let key = f.makeUserKey(on: machine)
            try expectEqual(
                await f.store.devices.register(f.makeUser(on: machine), key: key, now: f.now),
                .ended)
            try expectEqual(await f.store.devices.users(of: machine.id), [])
        },
        ConformanceCase("a machine of one person takes no second one") { f in
            let (machine, _) = try await f.registeredMachine(sharing: .perUser)
            let bea = f.makePerson("bea")
            _ = try await f.store.people.create(bea, with: [])
            try expectEqual(await f.signIn(on: machine).0, .done)
            try expectEqual(await f.signIn(bea, on: machine).0, .anothersDevice)
            try expectEqual(
                await f.store.devices.register(
                    f.makeUser(on: machine, bea), key: f.makeUserKey(on: machine, of: bea),
                    now: f.now), .anothersDevice)
            try expectEqual(await f.signIn(on: machine).0, .done)
        },
        ConformanceCase("a person's key takes the place of the one before") { f in
            let (machine, keys) = try await f.registeredMachine()
            let user = f.makeUser(on: machine)
            let (first, second) = (f.makeUserKey(on: machine), f.makeUserKey(on: machine))
            try expectEqual(await f.store.devices.register(user, key: first, now: f.now), .done)
            try expectEqual(await f.store.devices.register(user, key: second, now: f.now), .done)
            let living = try await f.store.devices.userKeys(
                of: f.person.id, on: machine.id, now: f.now)
            try expectEqual(living, [second])
            try expectEqual(await f.store.devices.keys(of: machine.id).count, 4)
            // Neither an ended key nor the machine's own can be a person's.
            try expectEqual(await f.store.devices.register(user, key: first, now: f.now), .keyTaken)
            var own = second
            own.kid = keys[0].kid
            try expectEqual(await f.store.devices.register(user, key: own, now: f.now), .keyTaken)
        },
        ConformanceCase("a person is found with their active keys on that device only") { f in
            let (machine, _) = try await f.registeredMachine()
            let (other, _) = try await f.registeredMachine()
            func find(
                _ name: String, on machine: Device, at time: Timestamp? = nil
            ) async throws -> (Person, [DeviceKey])? {
                try await f.store.devices.person(
                    username: name, in: f.project.id, keysOn: machine.id, now: time ?? f.now)
            }
            let name = f.person.username
            try expectEqual(await find(name, on: machine)?.0, f.person)
            try expectEqual(await find(name, on: machine)?.1, [])
            try expectEqual(await find("nobody", on: machine)?.0, nil)
            let (first, second) = (f.makeUserKey(on: machine), f.makeUserKey(on: machine))
            for key in [first, second] {
                let outcome = try await f.store.devices.register(
                    f.makeUser(on: machine), key: key, now: f.now)
                try expectEqual(outcome, .done)
            }
            try expectEqual(await find(name, on: machine)?.1, [second])
            try expectEqual(await find(name, on: other)?.1, [])
            try expectEqual(
                await f.store.devices.person(
                    username: name, in: f.identifier(), keysOn: machine.id, now: f.now)?.0, nil)
        },
        ConformanceCase("a grant is found with its person") { f in
            let (machine, _) = try await f.registeredMachine()
            let (_, grant) = try await f.signIn(on: machine)
            let found = try await f.store.grants.grantWithPerson(grant.id)
            try expectEqual(found?.0, grant)
            try expectEqual(found?.1, f.person)
            let code = f.makeCode()
            try await f.store.grants.save(code)
            // Not redeemed yet.
            try expectEqual(await f.store.grants.grantWithPerson(code.grant.id)?.0, nil)
            try expectEqual(await f.store.grants.grantWithPerson(f.identifier())?.0, nil)
        },
        ConformanceCase("a sign-in notes that the machine was heard of; a refused one does too") {
            f in
            let (machine, _) = try await f.registeredMachine(sharing: .perUser)
            let bea = f.makePerson("bea")
            _ = try await f.store.people.create(bea, with: [])
            try expectEqual(await f.signIn(on: machine, at: f.now + .hours(1)).0, .done)
            try expectEqual(await f.store.devices.device(machine.id)?.lastSeenAt, f.now + .hours(1))
            try expectEqual(
                await f.signIn(bea, on: machine, at: f.now + .hours(2)).0, .anothersDevice)
            try expectEqual(await f.store.devices.device(machine.id)?.lastSeenAt, f.now + .hours(2))
            _ = try await f.store.devices.revoke(device: machine.id, of: f.project.id, now: f.now)
            try expectEqual(await f.signIn(on: machine, at: f.now + .hours(3)).0, .ended)
            try expectEqual(await f.store.devices.device(machine.id)?.lastSeenAt, f.now + .hours(2))
        },
        ConformanceCase("a person's key belongs to one person on one machine") { f in
            let (machine, _) = try await f.registeredMachine()
            let (other, _) = try await f.registeredMachine()
            let bea = f.makePerson("bea")
            _ = try await f.store.people.create(bea, with: [])
            let key = f.makeUserKey(on: machine)
            _ = try await f.store.devices.register(f.makeUser(on: machine), key: key, now: f.now)
            var taken = key
            taken.person = bea.id
            try expectEqual(
                await f.store.devices.register(
                    f.makeUser(on: machine, bea), key: taken, now: f.now),
                .keyTaken)
            taken = key
            taken.device = other.id
            try expectEqual(
                await f.store.devices.register(f.makeUser(on: other), key: taken, now: f.now),
                .keyTaken)
        },
        ConformanceCase("one unlock key is provisioned for as long as it is valid") { f in
            let (machine, _) = try await f.registeredMachine()
            let keys = (0..<10).map { _ in f.makeUnlockKey(on: machine) }
            let found = try await withThrowingTaskGroup(of: UnlockKey?.self) { group in
                for key in keys {
                    group.addTask { try await f.store.unlockKeys.provision(key, now: f.now) }
                }
                return try await group.reduce(into: Set()) { $0.insert($1?.id) }
            }
            try expectEqual(found.count, 1)
            func valid(_ person: Identifier<Person>, _ time: Timestamp) async throws -> UnlockKey? {
                try await f.store.unlockKeys.unlockKey(
                    of: person, on: machine.id, purpose: "user_unlock", now: time)
            }
            let one = try await valid(f.person.id, f.now)
            try expect(one != nil && found.contains(one?.id))
            try expectEqual(await valid(f.identifier(), f.now), nil)
            try expectEqual(await valid(f.person.id, f.now + .days(1)), nil)
            guard let one else { return }
            // What was locked with it still opens for a while after.
            try expectEqual(await f.store.unlockKeys.unlockKey(one.id, now: f.now + .days(1)), one)
            try expectEqual(await f.store.unlockKeys.unlockKey(one.id, now: f.now + .days(2)), nil)
            // And for longer while it is used; never for less.
            for days in [3, 1] as [Int64] {
                try await f.store.unlockKeys.extendLifetime(
                    ofUnlockKey: one.id, to: f.now + .days(days))
            }
            let kept = try await f.store.unlockKeys.unlockKey(one.id, now: f.now + .days(2))
            try expectEqual(kept?.deleteAfter, f.now + .days(3))
        },
        ConformanceCase("of encryption keys the first stays the one in use") { f in
            func key() -> EncryptionKey {
                EncryptionKey(
                    id: f.identifier(), project: f.project.id, publicJWK: #"{"kty":"EC"}"#,
                    sealedPrivateKey: f.bytes(60), createdAt: f.now)
            }
            let (first, second) = (key(), key())
            try await f.store.encryptionKeys.addEncryptionKey(first)
            try await f.store.encryptionKeys.addEncryptionKey(second)
            try expectEqual(await f.store.encryptionKeys.encryptionKeys(of: f.project.id), [first])
            // Another takes its place; the one before stays until it is retired.
            try expect(await f.store.encryptionKeys.rotateEncryptionKey(to: second))
            let states = try await f.store.encryptionKeys.encryptionKeys(of: f.project.id).map(
                \.state)
            try expectEqual(Set(states), [.active, .retiring])
            func retire(
                _ id: Identifier<EncryptionKey>, _ project: Identifier<Project>
            )
                async throws -> Bool
            {
                try await f.store.encryptionKeys.retireEncryptionKey(id, of: project)
            }
            try expect(await !retire(second.id, f.project.id))
            try expect(await !retire(first.id, f.identifier()))
            try expect(await retire(first.id, f.project.id))
            try expect(await !retire(first.id, f.project.id))
            try expectEqual(await f.store.encryptionKeys.encryptionKeys(of: f.project.id), [second])
        },
        ConformanceCase("a project without an encryption key has none to rotate") { f in
            let key = EncryptionKey(
                id: f.identifier(), project: f.project.id, publicJWK: #"{"kty":"EC"}"#,
                sealedPrivateKey: f.bytes(60), createdAt: f.now)
            try expect(await !f.store.encryptionKeys.rotateEncryptionKey(to: key))
            try expectEqual(await f.store.encryptionKeys.encryptionKeys(of: f.project.id), [])
        },
        ConformanceCase("a card registers its person, and no key") { f in
            let (machine, _) = try await f.registeredMachine()
            var user = f.makeUser(on: machine)
            user.method = .smartCard
            try expectEqual(await f.store.devices.register(user, key: nil, now: f.now), .done)
            try expectEqual(await f.store.devices.users(of: machine.id), [user])
            let keys = try await f.store.devices.userKeys(
                of: f.person.id, on: machine.id, now: f.now)
            try expectEqual(keys, [])
        },
    ]
}
