// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage
import Synchronization

private func events(_ f: StoreFixture) async throws -> [AuditEvent] {
    var filter = AuditFilter()
    filter.project = f.project.id
    filter.action = "admin.issuer-key.remove"
    return try await f.store.auditLog.auditEvents(filter, before: nil, limit: 9)
}

private func makeEvent(
    _ f: StoreFixture, always: Bool = false
) -> (AuditEvent, TransactionalAuditEvent) {
    let event = f.makeEvent("admin.issuer-key.remove")
    return (event, TransactionalAuditEvent(isAlwaysDue: always) { event })
}

/// Any verb may have an event written in its own commit.
extension ConformanceCase {
    static let eventsOfChanges: [ConformanceCase] = [
        ConformanceCase("the event of a change is written with it, once") { f in
            let keys = ["k1", "k2"].map { f.makeIssuerKey(kid: $0) }
            for key in keys { try expect(await f.store.issuerKeys.save(key)) }
            let (event, due) = makeEvent(f)
            let store = f.store.recording(due)
            try expect(!due.isWritten)
            for key in keys {
                try expectEqual(
                    await store.issuerKeys.remove(issuerKey: key.id, of: f.project.id), key)
                try expect(due.isWritten)
                try expectEqual(await events(f), [event])
            }
            try expectEqual(
                await f.store.issuerKeys.issuerKeys(of: f.project.id, kind: .federation), [])
        },
        ConformanceCase("a change whose event cannot be written has not happened") { f in
            let (key, client) = (f.makeIssuerKey(), f.makeClient("another"))
            try expect(await f.store.issuerKeys.save(key))
            try expect(await f.store.clients.save(client, now: f.now))
            let (event, due) = makeEvent(f)
            try await f.store.auditLog.append([event])
            let store = f.store.recording(due)
            // In a separate transaction, and in one statement.
            let verbs: [@Sendable () async throws -> Void] = [
                { _ = try await store.issuerKeys.remove(issuerKey: key.id, of: f.project.id) },
                { try await store.clients.remove(client: client.id) },
            ]
            for verb in verbs {
                do {
                    try await verb()
                    throw ConformanceFailure(description: "one event was written twice")
                } catch is StorageError {}
            }
            try expect(!due.isWritten)
            try expectEqual(
                await f.store.issuerKeys.issuerKeys(of: f.project.id, kind: .federation).map(\.id),
                [key.id])
            try expectEqual(await f.store.clients.client(client.id)?.id, client.id)
            try expectEqual(await events(f), [event])
        },
        ConformanceCase("where nothing changes there is no event, unless it is always due") { f in
            let key = f.makeIssuerKey()
            let (event, due) = makeEvent(f)
            let store = f.store.recording(due)
            try expectEqual(await store.issuerKeys.remove(issuerKey: key.id, of: f.project.id), nil)
            try await store.clients.remove(client: f.identifier())
            try expect(!due.isWritten)
            try expectEqual(await events(f), [])
            // What it was made for comes later.
            try expect(await store.issuerKeys.save(key))
            try expectEqual(await events(f), [event])
            let (second, always) = makeEvent(f, always: true)
            try await f.store.recording(always).sessions.endEverything(
                of: f.identifier(), now: f.now)
            try expect(always.isWritten)
            try expectEqual(await events(f).map(\.id).contains(second.id), true)
        },
        ConformanceCase("an event that tells of what was changed is asked for when it was") { f in
            let told = Mutex<String?>(nil)
            let event = f.makeEvent("admin.issuer-key.remove")
            let due = TransactionalAuditEvent {
                told.withLock { $0 }.map { text in
                    var event = event
                    event.details = text
                    return event
                }
            }
            let outcome = try await f.store.recording(due).projects.change(project: f.project.id) {
                project -> Never? in
                told.withLock { $0 = #"{"name":"\#(project.name)"}"# }
                project.policy.codeLifetime = 45
                return nil
            }
            guard case .saved = outcome else {
                throw ConformanceFailure(description: "not changed")
            }
            try expectEqual(
                await events(f).map(\.details), [#"{"name":"\#(f.project.name)"}"#])
        },
    ]
}
