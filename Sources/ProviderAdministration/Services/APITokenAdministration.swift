// SPDX-License-Identifier: Apache-2.0
package import Primitives
import ProviderCore
package import Storage

/// The API tokens of a project.
package struct APITokenAdministration: Sendable {
    private let scope: AdministrativeScope
    private let tokens: APITokens

    package init(_ scope: AdministrativeScope) {
        self.scope = scope
        tokens = APITokens(scope.provider, facts: scope.facts)
    }

    /// A token as lists show it.
    package struct Entry: Sendable {
        package let token: APIToken
        /// Whether the owner no longer has a role with its rights (``APITokens/left(among:)``).
        package let hasOwnerLeft: Bool
    }

    /// The tokens in order of creation.
    package var list: AdministrativeList<Entry> {
        AdministrativeList(
            "api-tokens/\(scope.project.id)", scope.caller, key: \.token.id.description
        ) { last, limit in
            let found = try await scope.store.apiTokens.apiTokens(
                of: scope.project.id, after: last.flatMap { Identifier($0) }, limit: limit)
            let left = try await tokens.left(among: found)
            return found.map { Entry(token: $0, hasOwnerLeft: left.contains($0.id)) }
        }
    }

    /// - Returns: the record, and the token. Only its keyed hash is stored.
    package func create(
        _ name: String, role: Administrator.Role, lifetime: TimeSpan
    ) async throws -> AdministrativeResult<(token: APIToken, text: String)> {
        let made = try await tokens.make(
            name, role: role, lifetime: lifetime, in: scope.project, rights: scope.caller.rights)
        return made.map { ($0.0, $0.text) }.mapError {
            AdministrativeRefusal($0 == APITokens.higher ? .forbidden : .conflict, $0)
        }
    }

    /// Transfers a token to another owner (``APITokens``).
    ///
    /// - Parameters:
    ///   - successor: the username of a person of the home project; `nil` for the operator.
    ///   - keepsSecret: leaves the secret unchanged.
    /// - Returns: the record, and the new token unless the secret is unchanged.
    package func transfer(
        _ name: String, to successor: String?, keepsSecret: Bool
    ) async throws -> AdministrativeResult<(token: APIToken, text: String?)> {
        var person: Person?
        if let successor {
            person = try await scope.provider.administrator(named: successor)
            guard person != nil else { return .failure(.unknown("person")) }
        }
        guard let id = Identifier<APIToken>(name) else { return .failure(.unknown("api_token")) }
        let outcome = try await tokens.handOver(
            id, of: scope.project, to: person, keepsSecret: keepsSecret,
            rights: scope.caller.rights)
        return outcome.map { ($0.0, $0.text) }.mapError { refusal in
            switch refusal.code {
            case "unknown_api_token": .unknown("api_token")
            case APITokens.overtaken.code: AdministrativeRefusal(.conflict, refusal)
            default: AdministrativeRefusal(.forbidden, refusal)
            }
        }
    }

    package func revoke(_ name: String) async throws -> AdministrativeResult<Void> {
        guard let id = Identifier<APIToken>(name),
            try await tokens.revoke(id, of: scope.project)
        else { return .failure(.unknown("api_token")) }
        return .success(())
    }
}
