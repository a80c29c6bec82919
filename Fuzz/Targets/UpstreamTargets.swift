// SPDX-License-Identifier: Apache-2.0
import JOSE
import ProviderCore
import ProviderUpstream

extension FuzzTarget {
    /// The discovery document of an upstream provider: whatever is read leads to addresses that may
    /// be asked, and speaks for its own issuer.
    static let upstreamMetadata = FuzzTarget(name: "upstream-metadata") { bytes in
        let issuer = "https://login.acme.example"
        guard let read = try? UpstreamMetadata(document: bytes, of: issuer) else { return }
        precondition(read.issuer == issuer, "another issuer's document was read")
        precondition(read.algorithms.allSatisfy { !$0.isSymmetric }, "a shared key would verify")
        for address in [read.tokenEndpoint, read.authorizationEndpoint] {
            precondition(OutgoingURL(address.text) != nil, "an address that may not be asked")
        }
    }
}
