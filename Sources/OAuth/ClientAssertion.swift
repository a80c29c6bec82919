// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

/// A client assertion (RFC 7523 section 2.2) before anyone has looked at its signature.
package enum ClientAssertion {
    /// Whom the assertion claims to be from: only good for finding the keys that prove it.
    package static func subject(of assertion: String) -> String? {
        let parts = assertion.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = Base64URL.decode(parts[1]),
            let claims = try? JSONParser.parseObject(payload, maximumBytes: 16_384)
        else { return nil }
        return claims["sub"]?.string
    }
}
