// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension ConformanceCase {
    static let audit: [ConformanceCase] = [
        ConformanceCase("events come back newest first, page by page") { f in
            let events = (0..<5).map {
                f.makeEvent("token.refresh", at: f.now + .seconds(Int64($0)))
            }
            try await f.store.auditLog.append(events)
            var filter = AuditFilter()
            filter.project = f.project.id
            let first = try await f.store.auditLog.auditEvents(filter, before: nil, limit: 2)
            try expectEqual(first, [events[4], events[3]])
            let rest = try await f.store.auditLog.auditEvents(filter, before: first[1].id, limit: 9)
            try expectEqual(rest, [events[2], events[1], events[0]])
        },
        ConformanceCase("an event keeps everything, present or absent") { f in
            var event = f.makeEvent("sign-in.password")
            event.outcome = .refused
            event.code = "wrong_password"
            event.person = nil
            event.clientID = nil
            event.count = 41
            try await f.store.auditLog.append([event])
            var filter = AuditFilter()
            filter.project = f.project.id
            try expectEqual(
                await f.store.auditLog.auditEvents(filter, before: nil, limit: 1), [event])
        },
        ConformanceCase("what happened on a machine is found by it, and nothing else is") { f in
            let (device, other): (Identifier<Device>, Identifier<Device>) =
                (f.identifier(), f.identifier())
            func event(_ details: String, after seconds: Int64) -> AuditEvent {
                var event = f.makeEvent("device.sign-in", at: f.now + .seconds(seconds))
                event.details = details
                return event
            }
            let events = [
                event(#"{"device":"\#(device)"}"#, after: 0),
                event(#"{"device":"\#(device)","by":"token"}"#, after: 1),
                event(#"{"device":"\#(other)"}"#, after: 2),
                // A text in the details does not make an event a device's.
                event(#"{"label":"{\"device\":\"\#(device)\""}"#, after: 3),
                event("{}", after: 4),
            ]
            try await f.store.auditLog.append(events)
            var filter = AuditFilter()
            filter.device = device
            try expectEqual(
                await f.store.auditLog.auditEvents(filter, before: nil, limit: 9),
                [events[1], events[0]])
            try expectEqual(
                await f.store.auditLog.auditEvents(filter, before: events[1].id, limit: 9),
                [events[0]])
            filter.project = f.identifier()
            try expectEqual(await f.store.auditLog.auditEvents(filter, before: nil, limit: 9), [])
            filter = AuditFilter()
            filter.device = f.identifier()
            try expectEqual(await f.store.auditLog.auditEvents(filter, before: nil, limit: 9), [])
        },
        ConformanceCase("every filter leaves the others out") { f in
            var refused = f.makeEvent("sign-in.password", at: f.now + .seconds(1))
            refused.outcome = .refused
            refused.person = f.identifier()
            refused.clientID = "wiki"
            let accepted = f.makeEvent("sign-in.passkey")
            let near = f.makeEvent("sign-in-else", at: f.now + .seconds(2))
            try await f.store.auditLog.append([refused, accepted, near])
            func find(_ set: (inout AuditFilter) -> Void) async throws -> [AuditEvent] {
                var filter = AuditFilter()
                filter.project = f.project.id
                set(&filter)
                return try await f.store.auditLog.auditEvents(filter, before: nil, limit: 9)
            }
            try expectEqual(await find { $0.outcome = .refused }, [refused])
            try expectEqual(await find { $0.clientID = "wiki" }, [refused])
            try expectEqual(await find { $0.person = refused.person }, [refused])
            try expectEqual(await find { $0.action = "sign-in.passkey" }, [accepted])
            try expectEqual(await find { $0.action = "sign-in." }, [refused, accepted])
            try expectEqual(await find { $0.since = f.now + .seconds(1) }, [near, refused])
            try expectEqual(await find { $0.project = f.identifier() }, [])
        },
        ConformanceCase("a request number finds the events of its refused request") { f in
            func event(_ request: String, after seconds: Int64) -> AuditEvent {
                var event = f.makeEvent("sign-in.password", at: f.now + .seconds(seconds))
                event.requestID = request
                return event
            }
            var refused = event("f00d", after: 0)
            (refused.outcome, refused.code) = (.refused, "invalid_credentials")
            let accepted = event("f00d", after: 1)
            var other = event("beef", after: 2)
            other.outcome = .refused
            try await f.store.auditLog.append([refused, accepted, other, event("cafe", after: 3)])
            var filter = AuditFilter()
            filter.requestID = "f00d"
            try expectEqual(
                await f.store.auditLog.auditEvents(filter, before: nil, limit: 9),
                [accepted, refused])
            try expectEqual(
                await f.store.auditLog.auditEvents(filter, before: accepted.id, limit: 9), [refused]
            )
            filter.action = "sign-in."
            filter.outcome = .refused
            try expectEqual(
                await f.store.auditLog.auditEvents(filter, before: nil, limit: 9), [refused])
            filter = AuditFilter()
            filter.requestID = "beef"
            try expectEqual(
                await f.store.auditLog.auditEvents(filter, before: nil, limit: 9), [other])
            filter.project = f.identifier()
            try expectEqual(await f.store.auditLog.auditEvents(filter, before: nil, limit: 9), [])
            // A request without a refusal is not in the index.
            for unknown in ["none", "cafe"] {
                filter = AuditFilter()
                filter.requestID = unknown
                try expectEqual(
                    await f.store.auditLog.auditEvents(filter, before: nil, limit: 9), [])
            }
        },
        ConformanceCase("no events are no work") { f in try await f.store.auditLog.append([]) },
    ]
}
