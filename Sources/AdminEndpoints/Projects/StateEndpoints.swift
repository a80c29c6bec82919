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
        try await reconcile(call, writes: false)
    }

    func apply(_ call: AdminRequest) async throws -> AdminResponse {
        try await reconcile(call, writes: true)
    }

    private func reconcile(_ call: AdminRequest, writes: Bool) async throws -> AdminResponse {
        let changes = try await call.caller(provider).reconcile(call.body, writes: writes)
        return AdminResponse(changes) { .value(Self.json($0)) }
    }

    static func json(_ changes: [StateChange]) -> JSONValue {
        ["changes": .array(changes.map(\.json))]
    }
}
