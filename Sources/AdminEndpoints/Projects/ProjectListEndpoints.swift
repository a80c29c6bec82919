// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import IdentityProvider
import JOSE
import Storage

/// Lists within a project's rules: custom identity providers, signing fingerprints, and which
/// versions of apps and systems are let in. Of at most 200 entries each.
struct ProjectListEndpoints: Sendable {
    private let scope: ProjectScope

    init(_ provider: Provider) { scope = ProjectScope(provider) }

    /// What a list is called in addresses, operations and sentences.
    private struct Naming {
        /// Of the address, and of an unknown one's code with `_`.
        var segment: String
        /// Of an operation: `showPINPolicy`.
        var one: String
        var many: String
        var summary: String
    }

    var all: [AdminEndpoint] {
        endpoints(
            .customProviders,
            Naming(
                segment: "custom-identity-providers", one: "CustomIdentityProvider",
                many: "CustomIdentityProviders",
                summary: "The operator's own identity providers, which apps register by."))
            + endpoints(
                .fingerprints,
                Naming(
                    segment: "signing-fingerprints", one: "SigningFingerprint",
                    many: "SigningFingerprints",
                    summary: "Apps on Android, with SHA-256 of what they are signed with."))
            + endpoints(
                .applications,
                Naming(
                    segment: "applications", one: "ApplicationRule", many: "ApplicationRules",
                    summary: "Which versions of apps are let in."))
            + endpoints(
                .systems,
                Naming(
                    segment: "systems", one: "SystemRule", many: "SystemRules",
                    summary: "Which versions of systems apps may run on."))
    }

    private func endpoints(_ list: ProjectList, _ naming: Naming) -> [AdminEndpoint] {
        let path = "/projects/{project}/\(naming.segment)"
        let thing = naming.segment.dropLast().split(separator: "-").joined(separator: "_")
        return [
            AdminEndpoint(
                .get, path, "list\(naming.many)", naming.summary,
                query: AdminEndpoint.optionalPaging,
                answer: naming.many
            ) { call in
                try await scope.project(call) { project in
                    try await PageRequest.answer(
                        call, list: "\(naming.segment)/\(project.id)",
                        secrets: scope.provider.secrets, all: list.read(project),
                        key: { $0[list.key]?.string ?? "" }, json: JSONValue.object)
                }
            },
            AdminEndpoint(
                .get, path + "/{name}", "show\(naming.one)", "One of them.", answer: naming.one
            ) { call in
                try await scope.project(call) { project in
                    list.entry(call[parameter: "name"], of: project).map { .value(.object($0)) }
                        ?? .unknown(thing)
                }
            },
            AdminEndpoint(
                .put, path + "/{name}", "put\(naming.one)",
                "Makes the entry match the body wholly; the name is that of the address.",
                body: naming.one, answer: "Changes"
            ) { call in
                try await edit(call) {
                    try await $0.put(
                        call.body.object ?? JSONObject(), named: call[parameter: "name"], in: list,
                        onlyNew: call.onlyNew, over: call.onlyOver?.object)
                }
            },
            AdminEndpoint(
                .delete, path + "/{name}", "remove\(naming.one)", "Removes the entry."
            ) { call in
                let answer = try await edit(call, unknown: thing) {
                    try await $0.remove(call[parameter: "name"], from: list)
                }
                if case .value = answer { return .nothing }
                return answer
            },
        ]
    }

    private func edit(
        _ call: AdminRequest, unknown thing: String = "project",
        _ change: (ProjectEditor) async throws -> ProjectEditor.Outcome
    ) async throws -> AdminResponse {
        try await scope.project(call) { project in
            let editor = ProjectEditor(
                scope.provider, project: project, rights: call.rights, facts: call.facts)
            return try await change(editor).answer(unknown: thing)
        }
    }
}
