// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import Storage

/// `/audit`: every accepted and refused ceremony.
struct AuditEndpoints: Sendable {
    let provider: Provider

    func list(_ call: AdminRequest) async throws -> AdminResponse {
        var filter = AuditFilter()
        if let answer = try await read(call, into: &filter) { return answer }
        switch PageRequest.read(call, list: "audit", secrets: provider.secrets) {
        case .failure(let complaint): return complaint.answer
        case .success(let page):
            let found = try await AuditLogReader(provider).page(
                filter, before: page.after.flatMap(Identifier.init), limit: page.limit + 1)
            return page.answer(found, key: \.event.id.description, json: Self.json)
        }
    }

    /// `nil` when the filter could be read; otherwise what to answer.
    private func read(
        _ call: AdminRequest, into filter: inout AuditFilter
    ) async throws -> AdminResponse? {
        if let name = call.query["project"] {
            guard let scope = try await call.caller(provider).scope(ofProject: name) else {
                return .unknown("project")
            }
            filter.project = scope.project.id
        }
        filter.action = call.query["action"]
        filter.clientID = call.query["client"]
        filter.requestID = call.query["request"]
        if let text = call.query["person"] {
            guard let id = Identifier<Person>(text) else {
                return Self.wrong("person", "the person's sub, a UUID")
            }
            filter.person = id
        }
        if let text = call.query["device"] {
            guard let id = Identifier<Device>(text) else {
                return Self.wrong("device", "the device's id, a UUID")
            }
            filter.device = id
        }
        if let text = call.query["outcome"] {
            guard let outcome = AuditEvent.Outcome(rawValue: text) else {
                return Self.wrong("outcome", "accepted or refused")
            }
            filter.outcome = outcome
        }
        if let text = call.query["since"] {
            guard let since = Timestamp(rfc3339: text) else {
                return Self.wrong("since", "an RFC 3339 moment such as 2026-01-31T12:00:00Z")
            }
            filter.since = since
        }
        return nil
    }

    private static func wrong(_ name: String, _ right: String) -> AdminResponse {
        .refused(.badRequest, code: "invalid_\(name)", "\(name) must be \(right).")
    }

    private static func json(_ entry: AuditLogReader.Entry) -> JSONValue {
        let event = entry.event
        var object = JSONObject()
        object["id"] = .string(event.id.description)
        object["time"] = .string(event.at.rfc3339)
        object["project"] = entry.projectName.map(JSONValue.string)
        object["action"] = .string(event.action)
        object["outcome"] = .string(event.outcome.rawValue)
        object["code"] = event.code.map(JSONValue.string)
        object["person"] = event.person.map { .string($0.description) }
        object["client_id"] = event.clientID.map(JSONValue.string)
        object["address"] = .string(event.address)
        object["request_id"] = .string(event.requestID)
        object["count"] = .integer(event.count)
        object["details"] = (try? JSONParser.parse(Array(event.details.utf8), maximumBytes: 65_536))
        return .object(object)
    }
}
