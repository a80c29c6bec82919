// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import HTTPTypes
import IdentityProvider
import JOSE
import Storage

/// `/projects/{project}/entitlement-sequences`: sets that people have one after the other.
struct SequenceEndpoints: Sendable {
    private let provider: Provider

    init(_ provider: Provider) { self.provider = provider }

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
        guard
            let project = try await provider.store.projects.project(
                named: call[parameter: "project"])
        else { return .unknown("project") }
        let sequences = try await provider.store.entitlements.entitlementSequences(of: project.id)
        return try await PageRequest.answer(
            call, list: "entitlement-sequences/\(project.id)", secrets: provider.secrets,
            all: sequences, key: \.name, json: { .object(StateExport.object($0)) })
    }

    private func show(_ call: AdminRequest) async throws -> AdminResponse {
        guard
            let project = try await provider.store.projects.project(
                named: call[parameter: "project"])
        else { return .unknown("project") }
        let found = try await provider.store.entitlements.entitlementSequence(
            named: call[parameter: "sequence"], in: project.id)
        return found.map { .value(.object(StateExport.object($0))) }
            ?? .unknown("entitlement_sequence")
    }

    private func put(_ call: AdminRequest) async throws -> AdminResponse {
        guard
            let project = try await provider.store.projects.project(
                named: call[parameter: "project"])
        else { return .unknown("project") }
        let name = call[parameter: "sequence"]
        guard EntitlementValues.isName(name) else {
            return Self.invalid(EntitlementValues.ParseError.name(name).message)
        }
        switch EntitlementFields.steps(call.body["steps"]) {
        case .failure(let complaint): return Self.invalid("steps \(complaint.english)")
        case .success(let steps):
            let sequence = EntitlementSequence(
                project: project.id, name: name, steps: steps, createdAt: call.facts.now)
            let draft = draft("admin.entitlement-sequence.put", project, name, call)
            let outcome: AddEntitlementsOutcome = try await provider.recorded(draft) { store in
                if call.onlyNew { return try await store.entitlements.add(sequence) }
                if let earlier = call.onlyOver {
                    guard case .success(let known) = EntitlementFields.steps(earlier["steps"])
                    else { return .exists }
                    return try await store.entitlements.save(sequence, over: known)
                }
                return try await store.entitlements.save(sequence) ? .added : .missingSet
            }
            switch outcome {
            case .exists: return call.onlyNew ? .exists : .changedSince
            case .missingSet: return .unknown("entitlement_set")
            case .added: break
            }
            return .value(.object(StateExport.object(sequence)))
        }
    }

    private func remove(_ call: AdminRequest) async throws -> AdminResponse {
        guard
            let project = try await provider.store.projects.project(
                named: call[parameter: "project"])
        else { return .unknown("project") }
        let name = call[parameter: "sequence"]
        let draft = draft("admin.entitlement-sequence.remove", project, name, call)
        let outcome = try await provider.recorded(draft) {
            try await $0.entitlements.remove(entitlementSequence: name, of: project.id)
        }
        switch outcome {
        case .unknown: return .unknown("entitlement_sequence")
        case .inUse:
            return .refused(
                .conflict, code: "sequence_in_use",
                "This sequence is assigned to a person. Change that first.")
        case .removed: return .nothing
        }
    }

    private func draft(
        _ action: String, _ project: Project, _ name: String, _ call: AdminRequest
    ) -> AuditEventDraft {
        let details: JSONValue = ["name": .string(name)]
        return AuditEventDraft(action, in: project.id, facts: call.facts, details: details.text)
    }

    private static func invalid(_ message: String) -> AdminResponse {
        .refused(.unprocessableContent, code: "invalid_entitlements", message)
    }
}
