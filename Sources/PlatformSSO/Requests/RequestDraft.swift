// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives

/// A message that has everything but its signature, which a key in hardware may have to make:
///
///     let message = draft.compact(signature: try await key.sign(draft.signingInput))
package struct RequestDraft: Sendable {
    package let header: JSONObject
    package let claims: JSONObject
    /// The bytes to sign: header and claims in Base64url.
    package let signingInput: [UInt8]

    package init(header: JSONObject, claims: JSONObject) {
        self.header = header
        self.claims = claims
        var input = Base64URL.encodeBytes(header.bytes)
        input.append(UInt8(ascii: "."))
        Base64URL.append(claims.bytes, to: &input)
        signingInput = input
    }

    /// The compact JWS.
    ///
    /// - Parameter signature: As JWS has it (RFC 7518 section 3.4): 64 bytes for ES256, no DER.
    package func compact(signature: [UInt8]) -> [UInt8] {
        var output = signingInput
        output.append(UInt8(ascii: "."))
        Base64URL.append(signature, to: &output)
        return output
    }

    /// The compact JWS, signed with a key that is at hand; its algorithm must be the header's.
    ///
    /// - Throws: `keyMismatch`, `failure`.
    package func signed(by signer: JOSESigner) throws(JOSEError) -> [UInt8] {
        guard header["alg"]?.string == signer.algorithm.rawValue else {
            throw JOSEError(.keyMismatch, "the draft is for another algorithm")
        }
        do { return compact(signature: try signer.signature(over: signingInput)) } catch {
            throw JOSEError(.failure, "signing failed: \(error)")
        }
    }
}
