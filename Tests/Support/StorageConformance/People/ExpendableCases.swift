// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension ConformanceCase {
    static let expendables: [ConformanceCase] = [
        ConformanceCase("amounts are added, consumed, and returned") { f in
            try expectEqual(await f.store.entitlements.expendables(of: f.person.id), [:])
            try expectEqual(
                await f.change(["sms": 5, "calls": 2]), .changed(["sms": 5, "calls": 2]))
            try expectEqual(await f.change(["sms": -3]), .changed(["sms": 2]))
            try expectEqual(await f.change(["sms": 1]), .changed(["sms": 3]))
            try expectEqual(
                await f.store.entitlements.expendables(of: f.person.id), ["sms": 3, "calls": 2])
        },
        ConformanceCase("more than the amount cannot be consumed, and then nothing is") { f in
            _ = try await f.change(["a": 5, "b": 1])
            try expectEqual(await f.change(["a": -1, "b": -2]), .tooLittle("b", left: 1))
            try expectEqual(await f.change(["none": -1]), .tooLittle("none", left: 0))
            try expectEqual(
                await f.store.entitlements.expendables(of: f.person.id), ["a": 5, "b": 1])
        },
        ConformanceCase("more than can be counted cannot be given") { f in
            let most: Int64 = 9_007_199_254_740_991
            _ = try await f.change(["a": most])
            try expectEqual(await f.change(["a": 1]), .tooMuch("a"))
            try expectEqual(await f.store.entitlements.expendables(of: f.person.id), ["a": most])
        },
        ConformanceCase("an unknown person receives nothing") { f in
            var change = f.makeChange(["a": 1])
            change.person = f.identifier()
            try expectEqual(
                await f.store.entitlements.changeExpendables(change, recording: f.makeEvent("x")),
                .unknownPerson)
        },
        ConformanceCase("a request is answered once more and does nothing the second time") { f in
            let request = f.bytes(16)
            _ = try await f.change(["a": 1])
            try expectEqual(await f.change(["a": -1], request), .changed(["a": 0]))
            try expectEqual(await f.change(["a": -1], request), .repeated(["a": 0]))
            _ = try await f.change(["a": 7])
            try expectEqual(await f.change(["a": -1], request), .repeated(["a": 0]))
            try expectEqual(await f.change(["a": -2], request), .requestTaken)
            try expectEqual(await f.change(["b": -1], request), .requestTaken)
            try expectEqual(await f.store.entitlements.expendables(of: f.person.id), ["a": 7])
        },
        ConformanceCase("a request that was refused may be asked again") { f in
            let request = f.bytes(16)
            try expectEqual(await f.change(["a": -1], request), .tooLittle("a", left: 0))
            _ = try await f.change(["a": 1])
            try expectEqual(await f.change(["a": -1], request), .changed(["a": 0]))
        },
        ConformanceCase("requests of different people are different requests") { f in
            let request = f.bytes(16)
            let other = try await StoreFixture(f.store)
            try expectEqual(await f.change(["a": 1], request), .changed(["a": 1]))
            try expectEqual(await other.change(["a": 2], request), .changed(["a": 2]))
        },
        ConformanceCase("of many who want the last of it one gets it") { f in
            _ = try await f.change(["a": 1])
            let outcomes = try await f.race { _ in try await f.consume("a", request: f.bytes(16)) }
            try expectEqual(outcomes.filter { $0 == .changed(["a": 0]) }.count, 1)
            try expectEqual(outcomes.filter { $0 == .tooLittle("a", left: 0) }.count, 29)
        },
        ConformanceCase("one request in concurrent transactions consumes once") { f in
            _ = try await f.change(["a": 30])
            let request = f.bytes(16)
            let outcomes = try await f.race { _ in try await f.consume("a", request: request) }
            try expectEqual(outcomes.filter { $0 == .changed(["a": 29]) }.count, 1)
            try expectEqual(outcomes.filter { $0 == .repeated(["a": 29]) }.count, 29)
            try expectEqual(await f.store.entitlements.expendables(of: f.person.id), ["a": 29])
        },
        ConformanceCase("a change leaves its audit event, what is refused or repeated none") { f in
            let request = f.bytes(16)
            _ = try await f.change(["a": 1], request)
            _ = try await f.change(["a": 1], request)
            _ = try await f.change(["a": -9])
            var filter = AuditFilter()
            filter.project = f.project.id
            try expectEqual(
                await f.store.auditLog.auditEvents(filter, before: nil, limit: 9).map(\.action),
                ["entitlement"])
        },
        ConformanceCase("requests are deleted after their expiry") { f in
            let request = f.bytes(16)
            _ = try await f.change(["a": 1], request)
            _ = try await f.store.maintenance.sweep(now: f.now + .days(31), batch: 1000)
            try expectEqual(await f.change(["a": 1], request), .changed(["a": 2]))
        },
    ]
}

extension StoreFixture {
    fileprivate func change(
        _ amounts: [String: Int64], _ request: [UInt8]? = nil
    ) async throws -> ExpendableOutcome {
        try await store.entitlements.changeExpendables(
            makeChange(amounts, request: request), recording: makeEvent("entitlement"))
    }

    fileprivate func consume(_ name: String, request: [UInt8]) async throws -> ExpendableOutcome {
        try await store.entitlements.consumeEntitlement(
            name, amount: 1, of: person.id, request: request, now: now,
            rememberedUntil: now + .days(30), recording: makeEvent("entitlement"))
    }

    /// Runs `body` in thirty tasks at once.
    fileprivate func race<T: Sendable>(
        _ body: @escaping @Sendable (Int) async throws -> T
    ) async throws -> [T] {
        try await withThrowingTaskGroup(of: T.self) { group in
            for racer in 0..<30 { group.addTask { try await body(racer) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }
}
