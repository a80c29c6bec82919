// SPDX-License-Identifier: Apache-2.0
import JOSE
import ProviderAdministration
import ProviderCore
import Storage

/// Lists within a project's rules: custom identity providers, signing fingerprints, and which
/// versions of apps and systems are let in. Of at most 200 entries each.
struct ProjectListEndpoints: Sendable {
    let scope: ProjectScope

    func list(_ list: ProjectList) -> AdminEndpoint.Run {
        { call in
            try await scope.list(call, json: JSONValue.object) { project in
                AdministrativeList(
                    "\(list.segment)/\(project.project.id)", project.caller,
                    all: list.read(project.project), key: { $0[list.key]?.string ?? "" })
            }
        }
    }

    func show(_ list: ProjectList) -> AdminEndpoint.Run {
        { call in
            try await scope.open(call) { project in
                list.entry(call[.name], of: project.project).map { .value(.object($0)) }
                    ?? .unknown(list.resource)
            }
        }
    }

    func put(_ list: ProjectList) -> AdminEndpoint.Run {
        { call in
            try await edit(call) {
                try await $0.put(
                    call.body.object ?? JSONObject(), named: call[.name], in: list,
                    onlyNew: call.onlyNew, over: call.onlyOver?.object)
            }
        }
    }

    func remove(_ list: ProjectList) -> AdminEndpoint.Run {
        { call in
            let answer = try await edit(call, unknown: list.resource) {
                try await $0.remove(call[.name], from: list)
            }
            if case .value = answer { return .nothing }
            return answer
        }
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

extension ProjectList {
    /// The last segment of the list's path.
    fileprivate var segment: Substring {
        operations.list.route.path.split(separator: "/").last ?? ""
    }

    /// The kind of resource of an entry.
    fileprivate var resource: String { String(segment.dropLast()).replacing("-", with: "_") }
}
