// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

/// Limits of accounts that people remove themselves.
extension ConformanceCase {
    static let removalLimits: [ConformanceCase] = [
        ConformanceCase("of many removals at once no more than the limit hold names") { f in
            let people = try await f.people(12)
            let (network, total) = (f.budget(limit: 9), f.budget(limit: 5))
            let outcomes = try await race(12) { racer in
                try await f.deregister(people[racer], within: [network, total])
            }
            let end = f.now + .days(1)
            try expectEqual(outcomes.count { $0 == .removed }, 5)
            try expectEqual(outcomes.count { $0 == .limited(until: end) }, 7)
            for (person, outcome) in zip(people, outcomes) {
                let isRemoved = outcome == .removed
                let isHeld = try await f.store.people.isHeld(
                    name: person.username, in: f.project.id, now: f.now)
                try expectEqual(isHeld, isRemoved)
                try expectEqual(await f.store.people.person(person.id) == nil, isRemoved)
            }
            // A refusal by one limit is not counted in another.
            try expectEqual(await f.count(in: network), 5)
            try expectEqual(await f.count(in: total), 5)
        },
        ConformanceCase("one account that is removed many times at once is counted once") { f in
            let person = try await f.people(1)[0]
            let budget = f.budget(limit: 20)
            let outcomes = try await race(12) { _ in
                try await f.deregister(person, within: [budget])
            }
            try expectEqual(outcomes.count { $0 == .removed }, 1)
            try expectEqual(outcomes.count { $0 == .unknown }, 11)
            try expectEqual(await f.count(in: budget), 1)
        },
        ConformanceCase("a limit of removals ends, and is none for an administrator") { f in
            let people = try await f.people(4)
            let budget = f.budget(limit: 1)
            try expectEqual(await f.deregister(people[0], within: [budget]), .removed)
            let refused = try await f.deregister(people[1], within: [budget])
            try expectEqual(refused, .limited(until: f.now + .days(1)))
            let event = f.makeEvent("gone")
            try expectEqual(
                await f.store.installations.deregister(person: people[2].id, recording: event),
                .removed)
            let later = f.now + .days(1)
            try expectEqual(await f.deregister(people[1], within: [budget], at: later), .removed)
        },
    ]
}

extension StoreFixture {
    fileprivate func people(_ count: Int) async throws -> [Person] {
        let people = (0..<count).map { makePerson("bea-\($0)") }
        for person in people {
            try expectEqual(await store.people.create(person, with: []), .created)
        }
        return people
    }

    fileprivate func budget(limit: Int) -> AttemptBudget {
        AttemptBudget(bucket: bytes(), limit: limit)
    }

    fileprivate func deregister(
        _ person: Person, within budgets: [AttemptBudget], at time: Timestamp? = nil
    ) async throws -> DeregisterOutcome {
        try await store.installations.deregister(
            person: person.id, within: budgets, window: .days(1),
            recording: makeEvent("gone", at: time))
    }

    fileprivate func count(in budget: AttemptBudget) async throws -> Int? {
        try await store.attempts.attempts(in: [budget.bucket], now: now)[budget.bucket]?.count
    }
}
