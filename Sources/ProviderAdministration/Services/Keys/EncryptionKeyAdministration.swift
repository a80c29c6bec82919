// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import ProviderCore
package import Storage

/// The keys to which the devices of a project encrypt passwords.
package struct EncryptionKeyAdministration: Sendable {
    private let scope: AdministrativeScope

    package init(_ scope: AdministrativeScope) { self.scope = scope }

    /// The keys, newest first. A project without a key gets its first one.
    package func all() async throws -> [EncryptionKey] {
        _ = try await scope.provider.encryptionKeys.current(of: scope.tenant)
        return try await stored()
    }

    /// Creates a new active key. The earlier keys still decrypt until they are retired.
    package func rotate() async throws -> AdministrativeResult<[EncryptionKey]> {
        let isRotated = try await scope.provider.recorded(
            scope.draft("admin.encryption-key.rotate")
        ) {
            try await scope.provider.encryptionKeys.rotate(of: scope.tenant, in: $0.encryptionKeys)
        }
        return isRotated ? .success(try await stored()) : .failure(.rotationUnderWay)
    }

    /// Deletes a rotated key.
    package func retire(_ name: String) async throws -> AdministrativeResult<[EncryptionKey]> {
        guard let id = Identifier<EncryptionKey>(name) else { return .failure(.notRetiring("id")) }
        let draft = scope.draft(
            "admin.encryption-key.retire", ["encryption_key": .string(id.description)])
        let isRetired = try await scope.provider.recorded(draft) {
            try await scope.provider.encryptionKeys.retire(
                id, of: scope.tenant, in: $0.encryptionKeys)
        }
        return isRetired ? .success(try await stored()) : .failure(.notRetiring("id"))
    }

    /// The `kid` of the published key; empty for none.
    package static func publishedName(of key: EncryptionKey) -> String {
        (try? JSONWebKey(bytes: Array(key.publicJWK.utf8)).publicKey)?.keyID ?? ""
    }

    private func stored() async throws -> [EncryptionKey] {
        try await scope.store.encryptionKeys.encryptionKeys(of: scope.project.id)
    }
}
