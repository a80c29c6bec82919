// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
package import ProviderCore
import Storage

/// An issuer's key with its parsed verifier. Caching it saves the parsing for each token.
package final class TrustedIssuerKey: Sendable {
    let record: IssuerKey
    private let verifier: JWSVerifier

    /// Returns `nil` if the stored key cannot be parsed.
    init?(_ record: IssuerKey) {
        guard let algorithm = JWSAlgorithm(exactly: record.algorithm),
            let jwk = try? JSONWebKey(bytes: Array(record.publicJWK.utf8)),
            case .publicKey = jwk
        else { return nil }
        self.record = record
        verifier = JWSVerifier(key: jwk, algorithms: [algorithm])
    }

    func verify(_ jws: UnverifiedJWS) throws(JOSEError) -> VerifiedJWS { try verifier.verify(jws) }
}

package struct IssuerKeyName: Sendable, Hashable {
    let project: Identifier<Project>
    let issuer: String
    let kid: String
}

extension Provider {
    package var issuerKeys: ExpiringCache<IssuerKeyName, TrustedIssuerKey> {
        component { ExpiringCache(capacity: 20_000) }
    }

    /// The key with this issuer and `kid`, or `nil`. At most one second old; see ``ExpiringCache``.
    func issuerKey(
        issuer: String, kid: String, of tenant: Tenant
    ) async throws -> TrustedIssuerKey? {
        let name = IssuerKeyName(project: tenant.project.id, issuer: issuer, kid: kid)
        let found = try await issuerKeys.value(for: name, now: clock.now) {
            try await store.issuerKeys.issuerKey(issuer: issuer, kid: kid, in: tenant.project.id)
                .flatMap(TrustedIssuerKey.init)
        }
        // Dictionary keys compare strings by canonical equivalence, but identifiers must be
        // compared by bytes.
        guard let found, found.record.issuer.hasSameBytes(as: issuer),
            found.record.kid.hasSameBytes(as: kid)
        else { return nil }
        return found
    }
}
