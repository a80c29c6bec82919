// SPDX-License-Identifier: Apache-2.0
import OAuth

extension FuzzTarget {
    /// A proof that is taken is bounded, and is for one request alone. The seed's signature is
    /// right, so that what follows it is reached.
    static let dpopProof = FuzzTarget(name: "dpop-proof") { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        let address = "https://server.example.com/token"
        guard let proof = try? DPoPProof(compact: text, method: "POST", address: address) else {
            return
        }
        precondition(proof.thumbprint.utf8.count == 43, "a thumbprint of another length")
        precondition(
            (1...256).contains(proof.identifier.utf8.count), "an identifier without bounds")
        let elsewhere = try? DPoPProof(compact: text, method: "GET", address: address)
        precondition(elsewhere == nil, "a proof for two methods")
    }
}
