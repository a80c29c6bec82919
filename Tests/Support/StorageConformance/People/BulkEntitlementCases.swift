// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension ConformanceCase {
    static let bulkEntitlements: [ConformanceCase] = [
        ConformanceCase("a set given to many reaches those of the project, with an event each") {
            f in
            let neighbour = try await StoreFixture(f.store)
            try await f.store.entitlements.save(f.makeEntitlementSet())
            let bea = f.makePerson("bea")
            _ = try await f.store.people.create(bea, with: [])
            _ = try await f.store.entitlements.setEntitlements(
                of: bea.id, set: "gold", explicit: #"{"vaults":25}"#)
            let give = EntitlementSetChange(set: "gold", isGiven: true)
            let subjects = [f.person.id, bea.id, neighbour.person.id, f.identifier()].map {
                EntitlementSetChange.Subject(person: $0, event: f.makeEvent("bulk"))
            }
            let changed = try await f.store.entitlements.change(
                give, for: subjects, in: f.project.id)
            try expectEqual(changed, [f.person.id])
            try expectEqual(
                await f.store.entitlements.change(give, for: subjects, in: f.project.id), [])
            var filter = AuditFilter()
            (filter.action, filter.project) = ("bulk", f.project.id)
            try expectEqual(
                await f.store.auditLog.auditEvents(filter, before: nil, limit: 9).map(\.id),
                [subjects[0].event.id])
            try expectEqual(
                await f.store.entitlements.entitlements(of: bea.id, now: f.now)?.explicit,
                #"{"vaults":25}"#)
            try expectEqual(await f.store.people.person(neighbour.person.id)?.entitlementSet, "")
            try expectEqual(
                await f.store.entitlements.change(
                    EntitlementSetChange(set: "silver", isGiven: true), for: subjects,
                    in: f.project.id), nil)
        },
        ConformanceCase("a set is taken from those who have it; a sequence ends with a set given") {
            f in
            for name in ["gold", "basic"] {
                try await f.store.entitlements.save(f.makeEntitlementSet(name))
            }
            let sequence = EntitlementSequence(
                project: f.project.id, name: "trial", steps: [.init(set: "gold", duration: nil)],
                createdAt: f.now)
            try expect(await f.store.entitlements.save(sequence))
            _ = try await f.store.entitlements.setEntitlements(
                of: f.person.id, sequence: "trial", explicit: "{}", now: f.now)
            // A person with the set by a sequence keeps it.
            try expectEqual(await f.change(set: "gold", isGiven: false), 0)
            try expectEqual(await f.change(set: "basic", isGiven: true), 1)
            let given = try await f.store.entitlements.entitlements(of: f.person.id, now: f.now)
            try expect(given?.set == "basic" && given?.place == nil)
            try expectEqual(await f.change(set: "gold", isGiven: false), 0)
            try expectEqual(await f.change(set: "basic", isGiven: false), 1)
            try expectEqual(
                await f.store.entitlements.entitlements(of: f.person.id, now: f.now)?.set, "")
        },
    ]
}

extension StoreFixture {
    /// For how many of the fixture's person alone that changed something.
    fileprivate func change(set: String, isGiven: Bool) async throws -> Int? {
        let subject = EntitlementSetChange.Subject(person: person.id, event: makeEvent("bulk"))
        let change = EntitlementSetChange(set: set, isGiven: isGiven)
        return try await store.entitlements.change(change, for: [subject], in: project.id)?.count
    }
}
