// SPDX-License-Identifier: Apache-2.0
import Crypto
import JOSE
package import Primitives

/// A relying party: an RP ID with its allowed origins.
///
/// Origins are compared byte for byte with the browser's, so write them as browsers do:
/// `https://login.example.org`, no trailing slash, no default port. Nothing is derived from the RP
/// ID: an origin that is not listed is refused, subdomain or not.
package struct RelyingParty: Sendable {
    /// The RP ID, a domain (section 4, "Relying Party Identifier").
    package let id: String
    /// Origins whose pages run ceremonies.
    package let origins: [String]
    /// Origins of pages that may embed ours in a cross-origin frame.
    package let topOrigins: [String]
    /// Whether ceremonies may run inside a cross-origin frame at all.
    package let allowCrossOrigin: Bool
    /// SHA-256 of the RP ID, made once.
    let idHash: [UInt8]

    package init(
        id: String, origins: [String], topOrigins: [String] = [], allowCrossOrigin: Bool = false
    ) {
        self.id = id
        self.origins = origins
        self.topOrigins = topOrigins
        self.allowCrossOrigin = allowCrossOrigin
        idHash = Array(SHA256.hash(data: Array(id.utf8)))
    }

    func allows(origin: String) -> Bool { origins.contains { $0.hasSameBytes(as: origin) } }
    func allows(topOrigin: String) -> Bool {
        topOrigins.contains { $0.hasSameBytes(as: topOrigin) }
    }
}

extension RelyingParty {
    /// Returns a new challenge: 32 random bytes, twice the minimum of section 13.4.3.
    package static func challenge(from random: some RandomSource) -> [UInt8] { random.bytes(32) }
}
