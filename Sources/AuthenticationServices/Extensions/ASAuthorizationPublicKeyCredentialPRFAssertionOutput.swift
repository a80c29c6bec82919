// SPDX-License-Identifier: Apache-2.0
public import Crypto
import JOSE
import Primitives

/// Secrets that a credential derived.
public struct ASAuthorizationPublicKeyCredentialPRFAssertionOutput: Sendable {
    /// The secret of the first input, 32 bytes.
    public let first: SymmetricKey
    /// The secret of the second input, 32 bytes.
    public let second: SymmetricKey?

    init?(_ results: JSONObject) {
        let values = results["prf"]?["results"]
        guard let first = Self.key(values?["first"]) else { return nil }
        self.first = first
        second = Self.key(values?["second"])
    }

    static func key(_ value: JSONValue?) -> SymmetricKey? {
        value?.string.flatMap { Base64URL.decode($0) }.map { SymmetricKey(data: $0) }
    }
}
