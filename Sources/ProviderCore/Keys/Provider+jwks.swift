// SPDX-License-Identifier: Apache-2.0

extension Provider {
    /// The published JWK set (RFC 7517 section 5): the keys that sign, and the key to which devices
    /// seal PIN proofs. Rotated keys still open proofs, and are not published.
    package func jwks(of tenant: Tenant) async throws -> [UInt8] {
        let signing = try await keys.jwks(of: tenant)
        guard let proofKey = try await encryptionKeys.publishedProofKey(of: tenant) else {
            return signing
        }
        // Both are JSON that was written here: `{"keys":[…]}`. To parse and write them for each
        // request would cost more than the request.
        return signing.dropLast(Self.end.count) + [UInt8(ascii: ",")] + proofKey + Self.end
    }

    private static let end = Array("]}".utf8)
}
