// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import JOSE
import ProviderAdministration
import ProviderCore
import ProviderSettings
import Storage

/// `/state`: plan, apply and export of declarative state.
struct StateEndpoints: Sendable {
    private let provider: Provider

    init(_ provider: Provider) { self.provider = provider }

    var all: [AdminEndpoint] {
        [
            AdminEndpoint(
                .get, "/state", "exportState", "What the provider holds, without secrets.",
                query: [.init(name: "project", summary: "Only this project.")], answer: "State",
                run: export),
            AdminEndpoint(
                .post, "/state/plan", "planState",
                "What applying the document would change. Changes nothing.", body: "State",
                answer: "Changes"
            ) { try await reconcile($0, writes: false) },
            AdminEndpoint(
                .post, "/state/apply", "applyState",
                "Makes the provider match the document and returns the changes.", body: "State",
                answer: "Changes"
            ) { try await reconcile($0, writes: true) },
        ]
    }

    private func export(_ call: AdminRequest) async throws -> AdminResponse {
        let name = call.query["project"]
        if let name, try await call.caller(provider).scope(ofProject: name) == nil {
            return .unknown("project")
        }
        return .value(try await StateExport(provider).document(project: name))
    }

    private func reconcile(_ call: AdminRequest, writes: Bool) async throws -> AdminResponse {
        let wanted: DesiredState
        do throws(StateDocumentError) {
            wanted = try StateParser.parse(call.body)
        } catch {
            return .invalid(error)
        }
        let reconciler = StateReconciler(provider, rights: call.rights)
        let result =
            writes
            ? try await reconciler.apply(wanted, facts: call.facts)
            : try await reconciler.plan(wanted)
        switch result {
        case .success(let changes): return .value(Self.json(changes))
        case .failure(let refusal): return .invalid(refusal)
        }
    }

    static func json(_ changes: [StateChange]) -> JSONValue {
        ["changes": .array(changes.map(\.json))]
    }
}
