// SPDX-License-Identifier: Apache-2.0
import JOSE

/// The requests of a signed-in person to named endpoints of the provider.
extension UserSession {
    /// The answer, whatever its status.
    ///
    /// - Parameters:
    ///   - path: The path below the endpoint.
    ///   - isRepeatable: Whether it is asked once more when the answer was lost: where the same may
    ///     come again.
    nonisolated func ask(
        _ method: String, _ name: String, among group: String = "registration",
        below path: String = "", _ body: JSONValue? = nil, isRepeatable: Bool = false,
        in domain: IdentityError.Domain
    ) async throws -> ResourceResponse {
        let url = try await renewal.connection.address(name, among: group, in: domain) + path
        var request = ResourceRequest(url, method: method, body: body?.bytes)
        if body != nil { request.set("content-type", "application/json") }
        do { return try await data(for: request) } catch let error as IdentityError {
            guard isRepeatable, error.code == .notReachable else { throw error }
        }
        return try await data(for: request)
    }

    /// The object in an answer that agrees; empty for one without a body.
    nonisolated func object(
        _ method: String, _ name: String, among group: String = "registration",
        below path: String = "", _ body: JSONValue? = nil, isRepeatable: Bool = false,
        in domain: IdentityError.Domain
    ) async throws -> JSONObject {
        let answer = try await ask(
            method, name, among: group, below: path, body, isRepeatable: isRepeatable, in: domain)
        guard (200...299).contains(answer.status) else {
            throw ProviderErrorMapping.error(answer, in: domain)
        }
        return answer.body.isEmpty ? JSONObject() : try ProviderConnection.object(answer)
    }

    /// Returns the items of a list endpoint.
    nonisolated func items(
        _ name: String, in domain: IdentityError.Domain
    ) async throws -> [JSONValue] {
        try await object("GET", name, in: domain)["items"]?.array ?? []
    }
}
