// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension ConformanceCase {
    static let entitlements: [ConformanceCase] = [
        ConformanceCase("a set is kept under its name, replaced, and listed in order") { f in
            var gold = f.makeEntitlementSet()
            for set in [gold, f.makeEntitlementSet("basic")] {
                try await f.store.entitlements.save(set)
            }
            gold.entitlements = #"{"vaults":11}"#
            try await f.store.entitlements.save(gold)
            try expectEqual(
                await f.store.entitlements.entitlementSet(named: "gold", in: f.project.id), gold)
            try expectEqual(
                await f.store.entitlements.entitlementSets(of: f.project.id).map(\.name),
                ["basic", "gold"])
            try expectEqual(
                await f.store.entitlements.entitlementSet(named: "gold", in: f.identifier()), nil)
            try expectEqual(await f.store.entitlements.entitlementSets(of: f.identifier()), [])
        },
        ConformanceCase("a set or sequence is replaced while it is what was seen, by one of many") {
            f in
            let (store, project) = (f.store, f.project.id)
            let gold = f.makeEntitlementSet()
            var other = gold
            other.entitlements = "{}"
            try expectEqual(await store.entitlements.save(other, over: gold.entitlements), .exists)
            try expectEqual(await store.entitlements.entitlementSets(of: project), [])
            for set in [gold, f.makeEntitlementSet("basic")] {
                try await store.entitlements.save(set)
            }
            try expectEqual(await store.entitlements.save(gold, over: "{}"), .exists)
            try expectEqual(await store.entitlements.save(other, over: gold.entitlements), .added)
            try expectEqual(await store.entitlements.save(other, over: gold.entitlements), .exists)
            try expectEqual(
                await store.entitlements.entitlementSet(named: "gold", in: project)?.entitlements,
                "{}")
            let trial = f.makeSequence()
            try expectEqual(await store.entitlements.save(trial, over: trial.steps), .exists)
            try expect(await store.entitlements.save(trial))
            let outcomes = try await withThrowingTaskGroup(
                of: AddEntitlementsOutcome.self
            ) { group in
                for racer in 1...9 {
                    var mine = trial
                    mine.steps = [.init(set: "gold", duration: Int64(racer) * 60)]
                    let sequence = mine
                    group.addTask { try await store.entitlements.save(sequence, over: trial.steps) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            try expectEqual(outcomes.count { $0 == .added }, 1)
            let kept = try await store.entitlements.entitlementSequence(
                named: trial.name, in: project)
            var missing = trial
            missing.steps = [.init(set: "nothing", duration: nil)]
            try expectEqual(
                await store.entitlements.save(missing, over: kept?.steps ?? []), .missingSet)
            try expectEqual(
                await store.entitlements.entitlementSequence(named: trial.name, in: project), kept)
        },
        ConformanceCase("a set is added once, and adding it again leaves it as it is") { f in
            let gold = f.makeEntitlementSet()
            try expectEqual(await f.store.entitlements.add(gold), .added)
            var other = gold
            other.entitlements = #"{"vaults":11}"#
            try expectEqual(await f.store.entitlements.add(other), .exists)
            try expectEqual(
                await f.store.entitlements.entitlementSet(named: "gold", in: f.project.id), gold)
            // Of many who add one of that name at the same moment one does.
            let store = f.store
            let outcomes = try await withThrowingTaskGroup(of: AddEntitlementsOutcome.self) {
                group in
                let basic = f.makeEntitlementSet("basic")
                for _ in 0..<8 { group.addTask { try await store.entitlements.add(basic) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            try expectEqual(outcomes.count { $0 == .added }, 1)
        },
        ConformanceCase("a person has a set and entitlements of their own, or none") { f in
            let none = PersonalEntitlements(set: "", ofSet: nil, explicit: "{}")
            try expectEqual(
                await f.store.entitlements.entitlements(of: f.person.id, now: f.now), none)
            try expectEqual(
                await f.store.entitlements.entitlements(of: f.identifier(), now: f.now), nil)
            let gold = f.makeEntitlementSet()
            try await f.store.entitlements.save(gold)
            func give(_ set: String, _ person: Identifier<Person>) async throws -> Bool {
                try await f.store.entitlements.setEntitlements(
                    of: person, set: set, explicit: #"{"vaults":25}"#)
            }
            try expect(await give("gold", f.person.id))
            try expectEqual(
                await f.store.entitlements.entitlements(of: f.person.id, now: f.now),
                PersonalEntitlements(
                    set: "gold", ofSet: gold.entitlements, explicit: #"{"vaults":25}"#))
            try expectEqual(await f.store.people.person(f.person.id)?.entitlementSet, "gold")
            try expect(await !give("silver", f.person.id))
            try expect(await !give("gold", f.identifier()))
            try expect(await give("", f.person.id))
            try expectEqual(
                await f.store.entitlements.entitlements(of: f.person.id, now: f.now)?.set, "")
        },
        ConformanceCase("an assigned set stays; that of another project is unknown") { f in
            let gold = f.makeEntitlementSet()
            try await f.store.entitlements.save(gold)
            func remove(
                _ project: Identifier<Project>
            ) async throws
                -> RemoveEntitlementSetOutcome
            {
                try await f.store.entitlements.remove(entitlementSet: "gold", of: project)
            }
            _ = try await f.store.entitlements.setEntitlements(
                of: f.person.id, set: "gold", explicit: "{}")
            try expectEqual(await remove(f.project.id), .inUse)
            try expectEqual(await remove(f.identifier()), .unknown)
            let stranger = try await StoreFixture(f.store)
            try expect(
                await !f.store.entitlements.setEntitlements(
                    of: stranger.person.id, set: "gold", explicit: "{}"))
            _ = try await f.store.entitlements.setEntitlements(
                of: f.person.id, set: "", explicit: "{}")
            try expectEqual(await remove(f.project.id), .removed)
            try expectEqual(await remove(f.project.id), .unknown)
        },
    ]
}
