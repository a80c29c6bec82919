// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import JOSE
import OAuth
import ProviderCore

/// What the answers to DPoP requests say in their heads: RFC 9449 sections 7.1 and 8.
enum DPoPChallenge {
    private static let nonceField = HTTPField.Name("DPoP-Nonce")

    /// The nonce that the next proof must carry, where one is asked for.
    static func addNonce(of refusal: Refusal, to response: inout ServerResponse) {
        guard let nonceField, let nonce = refusal.proofNonce else { return }
        response.headers[nonceField] = nonce
    }

    /// The refusal of a proof by something that access tokens open: 401, with the algorithms.
    /// Other refusals are left as they are.
    static func refuse(_ refusal: Refusal, _ response: inout ServerResponse) {
        guard [ErrorCode.invalidDPoPProof, ErrorCode.useDPoPNonce].contains(refusal.code) else {
            return
        }
        let algorithms = DPoPProof.algorithms.map(\.rawValue).joined(separator: " ")
        response.status = .unauthorized
        response.headers[.wwwAuthenticate] =
            #"DPoP realm="gatehouse", error="\#(refusal.code)", algs="\#(algorithms)""#
        addNonce(of: refusal, to: &response)
    }
}
