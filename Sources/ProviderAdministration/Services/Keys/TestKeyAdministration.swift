// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives
import ProviderInstallations
package import Storage

/// The test registration keys of a project, and the people who registered with them.
package struct TestKeyAdministration: Sendable {
    private let scope: AdministrativeScope
    private let keys: TestRegistrationKeys

    package init(_ scope: AdministrativeScope) {
        self.scope = scope
        keys = TestRegistrationKeys(scope.provider, tenant: scope.tenant, facts: scope.facts)
    }

    /// - Parameter text: the beginning of a key ID or of a name; an empty text finds all keys.
    package func list(startingWith text: String) async throws -> AdministrativeList<IssuerKey> {
        let found = try await keys.all().filter { key in
            text.isEmpty || key.kid.hasPrefix(text) || key.settings.name.hasPrefix(text)
        }
        return AdministrativeList(
            "test-keys/\(scope.project.id)/\(text)", scope.caller, all: found,
            key: \.id.description)
    }

    /// Creates a key. The private part is not stored.
    ///
    /// - Parameter owner: an empty string for the administrator.
    package func create(
        _ algorithm: JWSAlgorithm, name: String, owner: String
    ) async throws -> AdministrativeResult<(key: IssuerKey, pem: Secret)> {
        let administrator = try await scope.provider.administratorName(scope.facts)
        return try await keys.make(
            algorithm, name: name, owner: owner.isEmpty ? administrator : owner
        ).mapError { AdministrativeRefusal(.conflict, $0) }
    }

    package func revoke(_ kid: String) async throws -> AdministrativeResult<Void> {
        try await keys.revoke(kid: kid) ? .success(()) : .failure(.unknown("test_key"))
    }

    /// Deletes the people of test keys who are older than `age`. Returns their number.
    package func removePeople(olderThan age: TimeSpan) async throws -> Int {
        try await keys.sweep(olderThan: age)
    }
}
