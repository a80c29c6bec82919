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

    /// Creates keys whose `x5c` the caller has verified up to those roots, for
    /// `jwksTrustedRootCertificates`. Paths are not verified here.
    package init(_ set: JWKSet, verifiedAgainst roots: [[UInt8]]) {
        self.set = set
        verifiedRoots = roots
    }
}
