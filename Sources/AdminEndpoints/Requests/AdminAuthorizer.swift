// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import JOSE
package import ProviderAdministration
package import ProviderCore
import Storage

/// Whether a role allows a call: that of an API token, or of an administrator in the console.
package struct AdminAuthorizer: Sendable {
    package let provider: Provider

    package init(provider: Provider) {
        self.provider = provider
    }

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
        else { return .notAllowed }
        for name in names {
            guard try await provider.tenant(named: name)?.project.id == token.project else {
                return .unknown("project")
            }
        }
        guard call.rights?.knows(token.project) == true else { return Self.left }
        guard call.rights?.may(action, in: token.project) == true else { return .notAllowed }
        return try await standing(action, call)
    }

    private static let left = AdminResponse.refused(
        .forbidden, code: "maker_left",
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

    private static let aboutPeople: Set<ConsoleAction> = [
        .changePeople, .editPeople, .removePeople, .takeOverPeople, .changeGroups,
    ]

    /// Returns a refusal if the call changes a person who has more rights than the caller. A caller
    /// who controls that person's account would gain those rights.
    package func standing(
        _ action: ConsoleAction, _ call: AdminRequest
    ) async throws -> AdminResponse? {
        guard Self.aboutPeople.contains(action), call.request.parameters["person"] != nil,
            call.rights != nil
        else { return nil }
        let caller = call.caller(provider)
        let scope = try await caller.scope(ofProject: call[.project])
        guard let person = try await scope?.person(call[.person]) else {
            return action == .editPeople ? nil : .unknown("person")
        }
        return try await caller.covers(person) ? nil : AdminResponse(APITokens.higher, .forbidden)
    }
}
