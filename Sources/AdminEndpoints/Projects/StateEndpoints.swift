// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import JOSE
import ProviderAdministration
import ProviderCore
import ProviderSettings
import Storage

/// `/state`: plan, apply and export of declarative state.
struct StateEndpoints: Sendable {
    let provider: Provider

    func export(_ call: AdminRequest) async throws -> AdminResponse {
        let name = call.query["project"]
        if let name, try await call.caller(provider).scope(ofProject: name) == nil {
            return .unknown("project")
        }
        return .value(try await StateExport(provider).document(project: name))
    }

    func plan(_ call: AdminRequest) async throws -> AdminResponse {
        AdminResponse(try await StateAdministration(call.caller(provider)).plan(call.body)) {
            .value(Self.json($0))
        }
    }

    func apply(_ call: AdminRequest) async throws -> AdminResponse {
        AdminResponse(try await StateAdministration(call.caller(provider)).apply(call.body)) {
            .value(Self.json($0))
        }
    }

    static func json(_ changes: [StateChange]) -> JSONValue {
        ["changes": .array(changes.map(\.json))]
    }
}
