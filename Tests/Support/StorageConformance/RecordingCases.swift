// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private func refreshes(_ f: StoreFixture) async throws -> [AuditEvent] {
    var filter = AuditFilter()
    filter.project = f.project.id
    filter.action = "token.refresh"
    return try await f.store.auditLog.auditEvents(filter, before: nil, limit: 100)
}

/// Verbs that write the audit event of what they did: the event is there exactly when it was done.
extension ConformanceCase {
    static let recordings: [ConformanceCase] = [
        ConformanceCase("a rotation writes its event, with the grant's person") { f in
            let grant = try await f.redeemedGrant()
            var event = f.makeEvent("token.refresh")
            event.person = nil
            guard case .rotated = try await f.rotate(grant.id, 1, recording: event) else {
                throw ConformanceFailure(description: "did not rotate")
            }
            event.person = grant.person
            try expectEqual(await refreshes(f), [event])
        },
        ConformanceCase("an event keeps its client, code and count through a rotation") { f in
            let grant = try await f.redeemedGrant()
            var event = f.makeEvent("token.refresh")
            event.code = "unusual"
            event.outcome = .refused
            event.clientID = nil
            event.count = 3
            _ = try await f.rotate(grant.id, 1, recording: event)
            try expectEqual(await refreshes(f), [event])
        },
        ConformanceCase("a replay, a reuse and an unknown token write no event") { f in
            let grant = try await f.redeemedGrant()
            let first = f.makeEvent("token.refresh")
            _ = try await f.rotate(grant.id, 1, recording: first)
            func isSilent(
                _ generation: Int64, _ grant: Identifier<Grant>, at time: Timestamp
            ) async throws {
                let event = f.makeEvent("token.refresh", at: time)
                _ = try await f.rotate(grant, generation, at: time, recording: event)
                try expectEqual(await refreshes(f), [first])
            }
            try await isSilent(1, grant.id, at: f.now + .seconds(1))
            try await isSilent(7, grant.id, at: f.now + .seconds(2))
            try await isSilent(1, f.identifier(), at: f.now + .seconds(3))
            try await isSilent(1, grant.id, at: f.now + .minutes(1))
            try await isSilent(2, grant.id, at: f.now + .minutes(2))
        },
        ConformanceCase("a rotation whose event cannot be written has not happened") { f in
            let grant = try await f.redeemedGrant()
            let event = f.makeEvent("token.refresh")
            try await f.store.auditLog.append([event])
            do {
                _ = try await f.rotate(grant.id, 1, recording: event)
                throw ConformanceFailure(description: "one event was written twice")
            } catch is StorageError {}
            try expectEqual(await f.store.grants.grant(grant.id), grant)
            try expectEqual(await refreshes(f), [event])
        },
        ConformanceCase("of many recorded rotations of one token one leaves its event") { f in
            let grant = try await f.redeemedGrant()
            let winners = try await withThrowingTaskGroup(of: AuditEvent?.self) { group in
                for _ in 0..<50 {
                    let event = f.makeEvent("token.refresh")
                    group.addTask {
                        guard case .rotated = try await f.rotate(grant.id, 1, recording: event)
                        else { return nil }
                        return event
                    }
                }
                var winners: [AuditEvent] = []
                for try await winner in group { winners += winner.map { [$0] } ?? [] }
                return winners
            }
            try expectEqual(winners.count, 1)
            try expectEqual(await refreshes(f), winners)
        },
    ]
}
