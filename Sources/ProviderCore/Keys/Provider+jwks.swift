// SPDX-License-Identifier: Apache-2.0
import JOSE
import PIN

extension Provider {
    /// The published JWK set (RFC 7517 section 5): the keys that sign, and the key to which devices
    /// seal PIN proofs. Rotated keys still open proofs, and are not published.
    package func jwks(of tenant: Tenant) async throws -> [UInt8] {
        let signing = try await keys.publicKeys(of: tenant)
        let proofKey = try await encryptionKeys.pinProofKeys(of: tenant).first
        let opening = proofKey.map { [JSONWebKey.publicKey($0.publicKey.jwk)] } ?? []
        return try JWKSet(signing + opening).publicJSON.bytes
    }
}
