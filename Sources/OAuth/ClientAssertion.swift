// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

/// A client assertion (RFC 7523 section 2.2) before anyone has looked at its signature.
package enum ClientAssertion {
    /// Returns the claimed subject of the assertion: only for finding the keys that verify it.
    package static func subject(of assertion: String) -> String? {
        let parts = assertion.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = Base64URL.decode(parts[1]),
            let claims = try? JSONParser.parseObject(payload, maximumBytes: 16_384)
        else { return nil }
        return claims["sub"]?.string
    }
}
