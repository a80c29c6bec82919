// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import Storage

extension APITokens {
    /// A token as lists show it.
    package struct Entry: Sendable {
        package let token: APIToken
        /// Whether the owner no longer has a role with its rights (``left(among:)``).
        package let hasOwnerLeft: Bool
    }

    /// The tokens of the project, in order of creation.
    package func page(
        of project: Project, after last: Identifier<APIToken>?, limit: Int
    ) async throws -> [Entry] {
        let tokens = try await provider.store.apiTokens.apiTokens(of: project.id, after: last, limit: limit)
        let left = try await left(among: tokens)
        return tokens.map { Entry(token: $0, hasOwnerLeft: left.contains($0.id)) }
    }
}
