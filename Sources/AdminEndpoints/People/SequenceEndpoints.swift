// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import HTTPTypes
import JOSE
import ProviderAdministration
import ProviderCore
import ProviderInstallations
import ProviderPeople
import ProviderSettings
import Storage

/// `/projects/{project}/entitlement-sequences`: sets that people have one after the other.
struct SequenceEndpoints: Sendable {
    private let scope: ProjectScope

    init(_ provider: Provider) { scope = ProjectScope(provider) }

    private static let path = "/projects/{project}/entitlement-sequences"

    var all: [AdminEndpoint] {
        [
            AdminEndpoint(
                .get, Self.path, "listEntitlementSequences",
                "Sequences of entitlement sets, in order of name.",
                query: AdminEndpoint.optionalPaging, answer: "EntitlementSequences", run: list),
            AdminEndpoint(
                .get, Self.path + "/{sequence}", "showEntitlementSequence", "One sequence.",
                answer: "EntitlementSequence", run: show),
            AdminEndpoint(
                .put, Self.path + "/{sequence}", "putEntitlementSequence",
                "Makes the sequence, or replaces its steps, for those who are in it as well.",
                body: "EntitlementSequence", answer: "EntitlementSequence", run: put),
            AdminEndpoint(
                .delete, Self.path + "/{sequence}", "removeEntitlementSequence",
                "Removes a sequence that is not assigned to a person.", run: remove),
        ]
    }

    private func list(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call) { project in
            try await PageRequest.answer(
                call, list: "entitlement-sequences/\(project.project.id)",
                secrets: scope.provider.secrets,
                all: EntitlementSetAdministration(project).sequences(), key: \.name,
                json: { .object(StateExport.object($0)) })
        }
    }

    private func show(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call) {
            let found = try await EntitlementSetAdministration($0)
                .sequence(call[parameter: "sequence"])
            return found.map { .value(.object(StateExport.object($0))) }
                ?? .unknown("entitlement_sequence")
        }
    }

    private func put(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call) { project in
            let name = call[parameter: "sequence"]
            guard EntitlementValues.isName(name) else {
                return Self.invalid(EntitlementValues.ParseError.name(name).message)
            }
            switch EntitlementFields.steps(call.body["steps"]) {
            case .failure(let complaint): return Self.invalid("steps \(complaint.english)")
            case .success(let steps):
                let condition = call.condition {
                    try? EntitlementFields.steps($0["steps"]).get()
                }
                guard let condition else { return .changedSince }
                return AdminResponse(
                    try await EntitlementSetAdministration(project)
                        .put(sequence: name, steps, if: condition)
                ) { .value(.object(StateExport.object($0))) }
            }
        }
    }

    private func remove(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call) {
            AdminResponse(
                try await EntitlementSetAdministration($0)
                    .remove(sequence: call[parameter: "sequence"]))
        }
    }

    private static func invalid(_ message: String) -> AdminResponse {
        .refused(.unprocessableContent, code: "invalid_entitlements", message)
    }
}
