// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import JOSE
import ProviderAdministration
import ProviderCore
import Storage

/// Whether the role of an API token allows a call.
struct AdminAuthorizer: Sendable {
    let provider: Provider

    /// Returns the refusal of a call with an API token, or `nil` if the call is allowed.
    ///
    /// A token reaches its own project only, and has at most the rights of its owner. It cannot
    /// create API tokens, because those could outlive it.
    func refusal(
        of endpoint: AdminEndpoint, _ call: AdminRequest, to token: APIToken
    ) async throws -> AdminResponse? {
        guard let action = endpoint.operation.right(for: call.body),
            action != .changeAPITokens, action.isAllowed(to: token.role),
            let names = Self.projects(endpoint, call), !names.isEmpty
        else { return .refused(.notAllowed) }
        for name in names {
            guard try await provider.tenant(named: name)?.project.id == token.project else {
                return .unknown("project")
            }
        }
        guard call.rights?.knows(token.project) == true else { return .refused(Self.left) }
        guard call.rights?.may(action, in: token.project) == true else {
            return .refused(.notAllowed)
        }
        guard let person = call.request.parameters["person"] else { return nil }
        return try await call.caller(provider)
            .refusal(of: action, on: person, in: call[.project]).map(AdminResponse.refused)
    }

    private static let left = AdministrativeRefusal(
        .forbidden, "maker_left",
        "The owner of this token no longer has a role there. Transfer it to a person who has one.")

    /// The projects that a call is about; `nil` when it is about more than projects.
    private static func projects(_ endpoint: AdminEndpoint, _ call: AdminRequest) -> [String]? {
        if endpoint.path.contains("{project}") { return [call[.project]] }
        if endpoint.query.contains(where: { $0.name == "project" }) {
            return call.query["project"].map { [$0] }
        }
        guard endpoint.body == "State", call.body.object?.names == ["projects"] else { return nil }
        return call.body["projects"]?.array?.map { $0["name"]?.string ?? "" }
    }
}
