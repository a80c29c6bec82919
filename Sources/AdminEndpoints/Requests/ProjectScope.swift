// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import IdentityProvider
import JOSE
import Storage

/// What endpoints below `/projects/{project}` have in common.
struct ProjectScope: Sendable {
    let provider: Provider

    init(_ provider: Provider) { self.provider = provider }

    /// Runs `body` with the project that the address names, as the tenant that it is.
    func tenant(
        _ call: AdminRequest, _ body: (Tenant) async throws -> AdminResponse
    ) async throws -> AdminResponse {
        guard let tenant = try await provider.tenant(named: call[parameter: "project"]) else {
            return .unknown("project")
        }
        return try await body(tenant)
    }

    /// Likewise, as it is kept at this moment.
    func project(
        _ call: AdminRequest, _ body: (Project) async throws -> AdminResponse
    ) async throws -> AdminResponse {
        guard
            let project = try await provider.store.projects.project(
                named: call[parameter: "project"])
        else { return .unknown("project") }
        return try await body(project)
    }

    /// A change, and its event in the same commit.
    func recorded<Outcome>(
        _ action: String, in tenant: Tenant, _ call: AdminRequest, _ details: JSONValue = [:],
        _ change: (any ProviderStore) async throws -> Outcome
    ) async throws -> Outcome {
        try await provider.recorded(
            AuditEventDraft(
                action, in: tenant.project.id, facts: call.facts, details: details.text),
            change)
    }

    // MARK: Keys that rotate

    static let rotationUnderWay = AdminResponse.refused(
        .conflict, code: "conflict", "Another rotation is under way; list the keys.")

    /// - Parameter name: what keys are named by.
    static func notRetiring(_ name: String) -> AdminResponse {
        .refused(
            .conflict, code: "not_retiring",
            "No key of that \(name) is retiring. Only a key that was rotated out can be retired.")
    }
}

extension ProjectEditor.Outcome {
    /// Returns the response to the outcome. The argument is the kind of resource that an "unknown"
    /// response names.
    func answer(unknown thing: String) -> AdminResponse {
        switch self {
        case .done(let change): .value(StateEndpoints.json([change]))
        case .refused(let refusal): .invalid(refusal)
        case .unknown: .unknown(thing)
        case .exists: .exists
        case .changedSince: .changedSince
        }
    }
}
