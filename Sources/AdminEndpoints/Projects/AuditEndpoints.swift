// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
package import JOSE
import Primitives
import ProviderAdministration
package import ProviderCore
import Storage

/// `/audit`: every accepted and refused ceremony.
package struct AuditEndpoints: Sendable {
    let provider: Provider

    func list(_ call: AdminRequest) async throws -> AdminResponse {
        switch try await AuditAdministration(call.caller(provider)).list(call.query.values) {
        case .failure(let refusal): return .refused(refusal)
        case .success(let list): return try await call.page(of: list, json: Self.json)
        }
    }

    package static func json(_ entry: AuditLogReader.Entry) -> JSONValue {
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
