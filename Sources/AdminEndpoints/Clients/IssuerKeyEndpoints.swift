// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import IdentityProvider
import JOSE
import Primitives
import Storage

/// `/projects/{project}/issuer-keys`: keys whose tokens are accepted when an app registers a
/// person.
struct IssuerKeyEndpoints: Sendable {
    private let provider: Provider

    init(_ provider: Provider) { self.provider = provider }

    private static let path = "/projects/{project}/issuer-keys"

    var all: [AdminEndpoint] {
        [
            AdminEndpoint(
                .get, Self.path, "listIssuerKeys", "Keys of issuers, in order of issuer and kid.",
                query: AdminEndpoint.optionalPaging, answer: "IssuerKeys", run: list),
            AdminEndpoint(
                .put, Self.path, "putIssuerKey",
                "Registers the key of that issuer and kid, or makes it match the body.",
                body: "IssuerKey", answer: "Changes", statuses: AdminEndpoint.making, run: put),
            AdminEndpoint(
                .delete, Self.path + "/{key}", "removeIssuerKey",
                "Removes the key by its id: its tokens are no longer accepted. People are kept.",
                run: remove),
        ]
    }

    private func list(_ call: AdminRequest) async throws -> AdminResponse {
        guard
            let project = try await provider.store.projects.project(
                named: call[parameter: "project"])
        else { return .unknown("project") }
        let keys = try await provider.store.issuerKeys.issuerKeys(of: project.id, kind: .federation)
        return try await PageRequest.answer(
            call, list: "issuer-keys/\(project.id)", secrets: provider.secrets, all: keys,
            key: \.id.description, json: Self.json)
    }

    private func put(_ call: AdminRequest) async throws -> AdminResponse {
        let name = call[parameter: "project"]
        guard try await provider.store.projects.project(named: name) != nil else {
            return .unknown("project")
        }
        let wanted: DesiredIssuerKey
        do throws(StateDocumentError) {
            wanted = try StateParser.issuerKey(call.body)
        } catch {
            return .invalid(error)
        }
        return try await provider.reconcile(
            DesiredProject(name: name, issuerKeys: [wanted]), making: .issuerKey, call)
    }

    private func remove(_ call: AdminRequest) async throws -> AdminResponse {
        guard
            let project = try await provider.store.projects.project(
                named: call[parameter: "project"])
        else { return .unknown("project") }
        let keys = try await provider.store.issuerKeys.issuerKeys(of: project.id, kind: .federation)
        guard let id = Identifier<IssuerKey>(call[parameter: "key"]),
            let key = keys.first(where: { $0.id == id })
        else { return .unknown("issuer_key") }
        let details: JSONValue = ["issuer": .string(key.issuer), "kid": .string(key.kid)]
        let draft = AuditEventDraft(
            "admin.issuer-key.remove", in: project.id, facts: call.facts, details: details.text)
        let removed = try await provider.recorded(draft) {
            try await $0.issuerKeys.remove(issuerKey: id, of: project.id)
        }
        guard removed != nil else { return .unknown("issuer_key") }
        provider.issuerKeys.invalidate()
        return .nothing
    }

    private static func json(_ key: IssuerKey) -> JSONValue {
        var object = StateExport.object(key)
        object["id"] = .string(key.id.description)
        object["created_at"] = .string(key.createdAt.rfc3339)
        return .object(object)
    }
}
