// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderSettings
import Storage

/// Parts of a project that are shown and changed by themselves: lives of tokens, passkeys, PINs, the
/// theme and the others. What a body does not mention stays as it is.
struct ProjectPartEndpoints: Sendable {
    let scope: ProjectScope

    /// Of secrets, `has_NAME` says whether there is one.
    func show(_ group: ProjectSettingsGroup) -> AdminEndpoint.Run {
        { call in
            try await scope.open(call) { project in
                var object = group.read(project.project)
                for name in group.secrets.map(\.name) {
                    object["has_\(name)"] = .bool(project.project.storedSecretNames.contains(name))
                }
                return .value(.object(object))
            }
        }
    }

    func put(_ group: ProjectSettingsGroup) -> AdminEndpoint.Run {
        { call in
            try await scope.open(call) { try await put(call, group, of: $0.project) }
        }
    }

    private func put(
        _ call: AdminRequest, _ group: ProjectSettingsGroup, of project: Project
    ) async throws -> AdminResponse {
        let secrets = group.secrets.map(\.name)
        var given: [String: Secret] = [:]
        var members: [JSONObject.Member] = []
        for member in call.body.object?.members ?? [] {
            if secrets.contains(member.name) {
                guard let text = member.value.string else {
                    return Self.refused(member, .wordText)
                }
                given[member.name] = Secret(text)
            } else if secrets.contains(where: { "has_\($0)" == member.name }) {
                // What was shown may be sent back.
                guard member.value.bool != nil else {
                    return Self.refused(member, .wordFlag)
                }
            } else {
                members.append(member)
            }
        }
        let editor = ProjectEditor(
            scope.provider, project: project, rights: call.rights, facts: call.facts)
        return try await editor.put(
            .object(JSONObject(members)), as: group, secrets: given
        ).answer(unknown: "project")
    }

    private static func refused(
        _ member: JSONObject.Member, _ wanted: ValidationIssueCode
    ) -> AdminResponse {
        .invalid(
            StateDocumentError([
                LocatedValidationIssue(path: member.name, .wrongKind(member.value, wanted: wanted))
            ]))
    }
}
