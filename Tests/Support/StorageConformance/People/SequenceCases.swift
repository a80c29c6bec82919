// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension ConformanceCase {
    static let sequences: [ConformanceCase] = [
        ConformanceCase("a sequence is kept in order, and replaced as a whole") { f in
            try await f.makeSets()
            var trial = f.makeSequence()
            try expect(await f.store.entitlements.save(trial))
            try expect(await f.store.entitlements.save(f.makeSequence("other")))
            trial.steps = [.init(set: "basic", duration: 60), .init(set: "gold", duration: 120)]
            try expect(await f.store.entitlements.save(trial))
            try expectEqual(
                await f.store.entitlements.entitlementSequence(named: "trial", in: f.project.id),
                trial)
            try expectEqual(
                await f.store.entitlements.entitlementSequences(of: f.project.id).map(\.name),
                ["other", "trial"])
            try expectEqual(
                await f.store.entitlements.entitlementSequence(named: "trial", in: f.identifier()),
                nil)
        },
        ConformanceCase("a sequence that needs a set which is not there is not kept") { f in
            try await f.store.entitlements.save(f.makeEntitlementSet("gold"))
            try expect(await !f.store.entitlements.save(f.makeSequence()))
            try expectEqual(await f.store.entitlements.entitlementSequences(of: f.project.id), [])
        },
        ConformanceCase("a sequence is added once, with sets that are there") { f in
            try expectEqual(await f.store.entitlements.add(f.makeSequence()), .missingSet)
            try await f.makeSets()
            let trial = f.makeSequence()
            try expectEqual(await f.store.entitlements.add(trial), .added)
            var other = trial
            other.steps = [.init(set: "basic", duration: nil)]
            try expectEqual(await f.store.entitlements.add(other), .exists)
            try expectEqual(
                await f.store.entitlements.entitlementSequence(named: "trial", in: f.project.id),
                trial)
        },
        ConformanceCase("a person in a sequence has the current set") { f in
            try await f.makeSets()
            _ = try await f.store.entitlements.save(f.makeSequence())
            try expect(await f.begin("trial"))
            func set(after time: TimeSpan) async throws -> PersonalEntitlements? {
                try await f.store.entitlements.entitlements(of: f.person.id, now: f.now + time)
            }
            let first = try await set(after: .hours(23))
            try expectEqual(first?.set, "gold")
            try expectEqual(first?.ofSet, f.makeEntitlementSet("gold").entitlements)
            try expectEqual(
                first?.place,
                SequencePosition(
                    sequence: "trial", startedAt: f.now, changesAt: f.now + .days(1)))
            // The moment at which a step ends is the first of the next one.
            let second = try await set(after: .days(1))
            try expectEqual(second?.set, "basic")
            try expectEqual(second?.place?.changesAt, nil)
            try expectEqual(await set(after: .days(9000))?.set, "basic")
        },
        ConformanceCase("what many people have is found at once, and is what each has") { f in
            try await f.makeSets()
            _ = try await f.store.entitlements.save(f.makeSequence())
            try expect(await f.begin("trial"))
            var people: Set = [f.person.id]
            for number in 0..<30 {
                let person = f.makePerson("p\(number)")
                _ = try await f.store.people.create(person, with: [])
                people.insert(person.id)
                guard number % 3 == 0 else { continue }
                try expect(
                    await f.store.entitlements.setEntitlements(
                        of: person.id, set: "gold", explicit: "{}"))
            }
            let stranger: Identifier<Person> = f.identifier()
            let found = try await f.store.entitlements.entitlements(
                of: people.union([stranger]), now: f.now)
            try expectEqual(Set(found.keys), people)
            for person in people {
                try expectEqual(
                    found[person], await f.store.entitlements.entitlements(of: person, now: f.now))
            }
            try expectEqual(found.values.count { $0.place?.sequence == "trial" }, 1)
            try expectEqual(found.values.count { $0.set == "gold" }, 11)
        },
        ConformanceCase("after the last step that ends nothing of a set is left") { f in
            try await f.makeSets()
            var sequence = f.makeSequence()
            sequence.steps = [.init(set: "gold", duration: 60)]
            _ = try await f.store.entitlements.save(sequence)
            try expect(await f.begin("trial"))
            let after = try await f.store.entitlements.entitlements(
                of: f.person.id, now: f.now + .seconds(60))
            try expectEqual(after?.set, "")
            try expectEqual(after?.ofSet, nil)
            try expectEqual(after?.explicit, #"{"a":1}"#)
            try expectEqual(after?.place?.sequence, "trial")
        },
        ConformanceCase("beginning a sequence again does not start it over") { f in
            try await f.makeSets()
            for name in ["trial", "other"] {
                _ = try await f.store.entitlements.save(f.makeSequence(name))
            }
            try expect(await f.begin("trial"))
            try expect(await f.begin("trial", at: f.now + .hours(5)))
            func start() async throws -> Timestamp? {
                let given = try await f.store.entitlements.entitlements(of: f.person.id, now: f.now)
                return given?.place?.startedAt
            }
            try expectEqual(await start(), f.now)
            try expect(await f.begin("other", at: f.now + .hours(5)))
            try expectEqual(await start(), f.now + .hours(5))
        },
        ConformanceCase("a set ends a sequence, and a sequence takes the place of a set") { f in
            try await f.makeSets()
            _ = try await f.store.entitlements.save(f.makeSequence())
            _ = try await f.store.entitlements.setEntitlements(
                of: f.person.id, set: "basic", explicit: "{}")
            try expect(await f.begin("trial"))
            try expectEqual(await f.store.people.person(f.person.id)?.entitlementSet, "")
            _ = try await f.store.entitlements.setEntitlements(
                of: f.person.id, set: "", explicit: "{}")
            let after = try await f.store.entitlements.entitlements(of: f.person.id, now: f.now)
            try expectEqual(after, PersonalEntitlements(set: "", ofSet: nil, explicit: "{}"))
        },
        ConformanceCase("an unknown sequence, or one of another project, cannot be started") { f in
            try expect(await !f.begin("trial"))
            try await f.makeSets()
            _ = try await f.store.entitlements.save(f.makeSequence())
            let stranger = try await StoreFixture(f.store)
            try expect(await !stranger.begin("trial"))
            try expect(
                await !f.store.entitlements.setEntitlements(
                    of: f.identifier(), sequence: "trial", explicit: "{}", now: f.now))
        },
        ConformanceCase("what is in use stays: sequences of people, sets of sequences") { f in
            try await f.makeSets()
            _ = try await f.store.entitlements.save(f.makeSequence())
            try expect(await f.begin("trial"))
            try expectEqual(
                await f.store.entitlements.remove(entitlementSequence: "trial", of: f.project.id),
                .inUse)
            try expectEqual(
                await f.store.entitlements.remove(entitlementSet: "basic", of: f.project.id), .inUse
            )
            _ = try await f.store.entitlements.setEntitlements(
                of: f.person.id, set: "", explicit: "{}")
            try expectEqual(
                await f.store.entitlements.remove(entitlementSequence: "trial", of: f.identifier()),
                .unknown)
            try expectEqual(
                await f.store.entitlements.remove(entitlementSequence: "trial", of: f.project.id),
                .removed)
            try expectEqual(
                await f.store.entitlements.remove(entitlementSequence: "trial", of: f.project.id),
                .unknown)
            try expectEqual(
                await f.store.entitlements.remove(entitlementSet: "basic", of: f.project.id),
                .removed)
        },
        ConformanceCase("a project goes with its sequences and those who are in them") { f in
            try await f.makeSets()
            _ = try await f.store.entitlements.save(f.makeSequence())
            try expect(await f.begin("trial"))
            try await f.store.projects.remove(project: f.project.id)
            try expectEqual(await f.store.entitlements.entitlementSequences(of: f.project.id), [])
        },
    ]
}

extension StoreFixture {
    fileprivate func makeSets() async throws {
        for name in ["gold", "basic"] {
            try await store.entitlements.save(makeEntitlementSet(name))
        }
    }

    fileprivate func begin(_ sequence: String, at time: Timestamp? = nil) async throws -> Bool {
        try await store.entitlements.setEntitlements(
            of: person.id, sequence: sequence, explicit: #"{"a":1}"#, now: time ?? now)
    }
}
