// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import ProviderAdministration
import ProviderCore
import Storage

/// Lists within a project's rules: custom identity providers, signing fingerprints, and which
/// versions of apps and systems are let in. Of at most 200 entries each.
struct ProjectListEndpoints: Sendable {
    private let scope: ProjectScope

    init(_ provider: Provider) { scope = ProjectScope(provider) }

    var all: [AdminEndpoint] { ProjectList.all.flatMap(endpoints) }

    private func endpoints(_ list: ProjectList) -> [AdminEndpoint] {
        let path = "/projects/{project}/\(list.path)"
        let thing = list.path.dropLast().split(separator: "-").joined(separator: "_")
        return [
            AdminEndpoint(
                .get, path, "list\(list.schema)s", list.summary,
                query: AdminEndpoint.optionalPaging,
                answer: list.schema + "s"
            ) { call in
                try await scope.open(call) { project in
                    try await PageRequest.answer(
                        call, list: "\(list.path)/\(project.project.id)",
                        secrets: scope.provider.secrets, all: list.read(project.project),
                        key: { $0[list.key]?.string ?? "" }, json: JSONValue.object)
                }
            },
            AdminEndpoint(
                .get, path + "/{name}", "show\(list.schema)", "One of them.", answer: list.schema
            ) { call in
                try await scope.open(call) { project in
                    list.entry(call[parameter: "name"], of: project.project).map {
                        .value(.object($0))
                    }
                        ?? .unknown(thing)
                }
            },
            AdminEndpoint(
                .put, path + "/{name}", "put\(list.schema)",
                "Makes the entry match the body wholly; the name is that of the address.",
                body: list.schema, answer: "Changes"
            ) { call in
                try await edit(call) {
                    try await $0.put(
                        call.body.object ?? JSONObject(), named: call[parameter: "name"], in: list,
                        onlyNew: call.onlyNew, over: call.onlyOver?.object)
                }
            },
            AdminEndpoint(
                .delete, path + "/{name}", "remove\(list.schema)", "Removes the entry."
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
        try await scope.open(call) { project in
            let editor = ProjectEditor(
                scope.provider, project: project.project, rights: call.rights, facts: call.facts)
            return try await change(editor).answer(unknown: thing)
        }
    }
}
