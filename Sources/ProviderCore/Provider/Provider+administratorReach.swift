// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import Storage

extension Provider {
    /// Whether a person administers more than this project. An administrator of a project decides
    /// which issuer keys and services are trusted in it. Their statements are not sufficient for
    /// people with rights in other projects, because that would give those rights to the
    /// administrator.
    package func administersMore(
        than project: Identifier<Project>, _ person: Identifier<Person>
    ) async throws -> Bool {
        try await store.administrators.administration(of: person).contains {
            $0.project != project || $0.role == .owner
        }
    }
}
