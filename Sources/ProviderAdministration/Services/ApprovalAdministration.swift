// SPDX-License-Identifier: Apache-2.0
import ProviderInstallations
package import Storage

/// The approval requests of clients to the people of a project.
package struct ApprovalAdministration: Sendable {
    private let scope: AdministrativeScope
    private var store: any ProviderStore { scope.store }

    package init(_ scope: AdministrativeScope) { self.scope = scope }

    /// The maximum of approval requests of one person in a list. The sweep deletes expired ones
    /// before a person has as many.
    private static let maximumCount = 100

    /// An approval request, and its client if that exists.
    package struct Request: Sendable {
        package let approval: Approval
        package let client: Client?
    }

    /// Recent requests, newest first.
    package func requests(to name: String) async throws -> AdministrativeResult<[Request]> {
        guard let person = try await scope.person(name) else { return .failure(.unknown("person")) }
        var found: [Request] = []
        for approval in try await store.approvals.approvals(of: person.id, limit: Self.maximumCount)
        {
            found.append(
                Request(approval: approval, client: try await store.clients.client(approval.client))
            )
        }
        return .success(found)
    }

    /// Sends a test request in the name of a client.
    ///
    /// - Parameter clientID: `nil` if the message does not name a client.
    package func sendTrial(
        to name: String, by clientID: String?
    ) async throws -> AdministrativeResult<Request> {
        guard let person = try await scope.person(name) else { return .failure(.unknown("person")) }
        guard let clientID,
            let client = try await store.clients.client(clientID: clientID, in: scope.project.id)
        else { return .failure(.unknown("client")) }
        return try await BackchannelEndpoint(scope.provider)
            .tryOut(person, by: client, tenant: scope.tenant, facts: scope.facts)
            .map { Request(approval: $0, client: client) }
            .mapError { AdministrativeRefusal(.conflict, $0) }
    }
}
