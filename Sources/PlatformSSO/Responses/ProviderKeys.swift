// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// The provider's keys as its `jwksEndpointURL` publishes them.
package struct ProviderKeys: Sendable {
    package let set: JWKSet
    /// The roots, in DER, to which the certificates of every key were verified to lead.
    package let verifiedRoots: [[UInt8]]

    package init(_ set: JWKSet) {
        self.set = set
        verifiedRoots = []
    }

    /// Keys each of which has an `x5c` that the caller verified up to those roots, for
    /// `jwksTrustedRootCertificates`. Paths are not built here.
    package init(_ set: JWKSet, verifiedAgainst roots: [[UInt8]]) {
        self.set = set
        verifiedRoots = roots
    }
}
