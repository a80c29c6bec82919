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
    let scope: ProjectScope

    func list(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.list(
            call, json: { .object(StateExport.object($0)) },
            { try await EntitlementSetAdministration($0).sequences() })
    }

    func show(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call) {
            let found = try await EntitlementSetAdministration($0)
                .sequence(call[.sequence])
            return found.map { .value(.object(StateExport.object($0))) }
                ?? .unknown("entitlement_sequence")
        }
    }

    func put(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call) { project in
            let name = call[.sequence]
            guard EntitlementValues.isName(name) else {
                return Self.invalid(EntitlementValues.ParseError.name(name).message)
            }
            switch EntitlementFields.steps(call.body["steps"]) {
            case .failure(let complaint): return Self.invalid("steps \(complaint.english)")
            case .success(let steps):
                let condition = call.condition {
                    try? EntitlementFields.steps($0["steps"]).get()
                }
                guard let condition else { return .refused(.changedSince) }
                return AdminResponse(
                    try await EntitlementSetAdministration(project)
                        .put(sequence: name, steps, if: condition)
                ) { .value(.object(StateExport.object($0))) }
            }
        }
    }

    func remove(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call) {
            AdminResponse(
                try await EntitlementSetAdministration($0)
                    .remove(sequence: call[.sequence]))
        }
    }

    private static func invalid(_ message: String) -> AdminResponse {
        .invalid("invalid_entitlements", message)
    }
}
