// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

/// Several who change what one person was given, at the same moment.
extension ConformanceCase {
    static let entitlementRaces: [ConformanceCase] = [
        ConformanceCase("a set that is given to many stays, whatever is sent over what was before")
        {
            f in
            try await f.makeTwoSets()
            for _ in 0..<3 {
                let before = GivenEntitlements(set: "basic", explicit: "{}")
                try expectEqual(await f.give(before), .assigned)
                let outcomes = try await race(24) { racer in
                    if racer == 12 { return try await f.giveToMany("gold") }
                    return try await f.give(
                        GivenEntitlements(set: "basic", explicit: #"{"n":\#(racer)}"#), over: before
                    )
                }
                try expect(outcomes.count { $0 == .assigned } <= 2)
                let kept = try await f.store.entitlements.entitlements(of: f.person.id, now: f.now)?
                    .given
                try expectEqual(kept?.set, "gold")
                try expectEqual(kept?.explicit == "{}", outcomes.count { $0 == .assigned } == 1)
            }
        },
        ConformanceCase("of sets and sequences that are given over the same one, one is given") {
            f in
            try await f.makeTwoSets()
            try expect(await f.store.entitlements.save(f.makeSequence()))
            let before = GivenEntitlements(explicit: "{}")
            let wanted = (0..<24).map { racer in
                GivenEntitlements(
                    set: racer % 2 == 0 ? "gold" : "", sequence: racer % 2 == 0 ? "" : "trial",
                    explicit: #"{"n":\#(racer)}"#)
            }
            let outcomes = try await race(24) { try await f.give(wanted[$0], over: before) }
            try expectEqual(outcomes.count { $0 == .assigned }, 1)
            try expectEqual(outcomes.count { $0 == .changedMeanwhile }, 23)
            let kept = try await f.store.entitlements.entitlements(of: f.person.id, now: f.now)?
                .given
            try expectEqual(kept, outcomes.firstIndex(of: .assigned).map { wanted[$0] })
        },
        ConformanceCase("of sets and sequences that are saved over the same one, one is saved") {
            f in
            try await f.makeTwoSets()
            try expect(await f.store.entitlements.save(f.makeSequence()))
            let (set, sequence) = (f.makeEntitlementSet(), f.makeSequence())
            let outcomes = try await race(24) { racer in
                if racer % 2 == 0 {
                    var new = set
                    new.entitlements = #"{"n":\#(racer)}"#
                    return try await f.store.entitlements.save(new, over: set.entitlements)
                }
                var new = sequence
                new.steps[0].duration = Int64(1000 + racer)
                return try await f.store.entitlements.save(new, over: sequence.steps)
            }
            for racers in [stride(from: 0, to: 24, by: 2), stride(from: 1, to: 24, by: 2)] {
                try expectEqual(racers.filter { outcomes[$0] == .added }.count, 1)
                try expectEqual(racers.filter { outcomes[$0] == .exists }.count, 11)
            }
        },
        ConformanceCase("a set that is deleted during its assignment is assigned to no person") {
            f in
            for _ in 0..<6 {
                try await f.makeTwoSets()
                let outcomes = try await race(8) { racer -> SetEntitlementsOutcome? in
                    if racer % 2 == 0 {
                        return try await f.give(GivenEntitlements(set: "gold", explicit: "{}"))
                    }
                    _ = try await f.store.entitlements.remove(
                        entitlementSet: "gold", of: f.project.id)
                    return nil
                }
                let set = try await f.store.entitlements.entitlementSet(
                    named: "gold", in: f.project.id)
                let kept = try await f.store.entitlements.entitlements(of: f.person.id, now: f.now)
                try expectEqual(kept?.set, set == nil ? "" : "gold")
                try expectEqual(outcomes.contains(.assigned), set != nil)
                try expectEqual(await f.give(GivenEntitlements(explicit: "{}")), .assigned)
            }
        },
    ]
}

extension StoreFixture {
    fileprivate func makeTwoSets() async throws {
        for name in ["gold", "basic"] {
            try await store.entitlements.save(makeEntitlementSet(name))
        }
    }

    fileprivate func give(
        _ given: GivenEntitlements, over earlier: GivenEntitlements? = nil
    ) async throws -> SetEntitlementsOutcome {
        try await store.entitlements.setEntitlements(
            of: person.id, to: given, over: earlier, now: now)
    }

    fileprivate func giveToMany(_ set: String) async throws -> SetEntitlementsOutcome {
        let subject = EntitlementSetChange.Subject(person: person.id, event: makeEvent("bulk"))
        let changed = try await store.entitlements.change(
            EntitlementSetChange(set: set, isGiven: true), for: [subject], in: project.id)
        return changed == [person.id] ? .assigned : .unknown
    }
}
