// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives
import ProviderCore
package import Storage

/// The signing keys of a project.
package struct SigningKeyAdministration: Sendable {
    private let scope: AdministrativeScope

    package init(_ scope: AdministrativeScope) { self.scope = scope }

    /// The published keys, oldest first. A project without keys gets its first ones.
    package func all() async throws -> [SigningKey] {
        _ = try await scope.provider.keys.signer(for: scope.tenant)
        return try await stored()
    }

    /// Promotes the next key of this algorithm. The old one is published until it is retired.
    ///
    /// - Parameter atOnce: also if relying parties may not know the next key.
    package func rotate(
        _ algorithm: JWSAlgorithm, atOnce: Bool
    ) async throws -> AdministrativeResult<[SigningKey]> {
        let draft = scope.draft(
            "admin.key.rotate",
            ["algorithm": .string(algorithm.rawValue), "at_once": .bool(atOnce)])
        let outcome = try await scope.provider.recorded(draft) {
            try await scope.provider.keys.rotate(
                algorithm, of: scope.tenant, atOnce: atOnce, in: $0.signingKeys)
        }
        // After the commit: a request during the transaction has cached the keys again.
        scope.provider.keys.invalidate()
        return switch outcome {
        case .rotated: .success(try await stored())
        case .conflict: .failure(.rotationUnderWay)
        case .tooEarly(let time): .failure(.notPublishedLongEnough(until: time))
        }
    }

    /// Retires a rotated key. The tokens that it signed become invalid.
    package func retire(kid: String) async throws -> AdministrativeResult<[SigningKey]> {
        let isRetired = try await scope.provider.retireSigningKey(
            kid, of: scope.tenant,
            recording: scope.draft("admin.key.retire", ["kid": .string(kid)]))
        return isRetired ? .success(try await stored()) : .failure(.notRetiring("kid"))
    }

    private func stored() async throws -> [SigningKey] {
        try await scope.store.signingKeys.signingKeys(of: scope.project.id)
    }
}

extension Provider {
    /// Retires a rotated key, and removes what this process has cached of it.
    func retireSigningKey(
        _ kid: String, of tenant: Tenant, recording draft: AuditEventDraft
    ) async throws -> Bool {
        let isRetired = try await recorded(draft) {
            try await keys.retire(kid: kid, of: tenant, in: $0.signingKeys)
        }
        // After the commit: a request during the transaction has cached the key again.
        keys.invalidate()
        return isRetired
    }
}

extension AdministrativeRefusal {
    static let rotationUnderWay = conflict(
        "conflict", "Another rotation is under way; list the keys.")

    static func notPublishedLongEnough(until time: Timestamp) -> AdministrativeRefusal {
        conflict(
            "not_published_long_enough",
            "Relying parties may not know the next key before \(time.rfc3339). Rotate then. In an "
                + "emergency rotate at once (at_once, or --now of the command): relying parties "
                + "refuse new tokens until they fetch the keys again.")
    }

    /// - Parameter name: the member that names a key.
    static func notRetiring(_ name: String) -> AdministrativeRefusal {
        conflict(
            "not_retiring",
            "No key of that \(name) is retiring. Only a key that was rotated out can be retired.")
    }
}
