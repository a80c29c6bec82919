// SPDX-License-Identifier: Apache-2.0
import OAuth

/// What is said of how a person signed in: `amr` (RFC 8176) and the `acr` that follows from it.
struct AuthenticationContext: Sendable {
    let methods: [String]

    /// - Parameter methods: RFC 8176 values, separated by spaces.
    init(methods: String) { self.methods = methods.split(separator: " ").map(String.init) }

    /// Proof of possession of a key is bound to our address by the browser: phishing-resistant.
    var contextClass: String {
        let resistant = methods.contains { ["hwk", "swk", "pop"].contains($0) }
        return resistant ? "phr" : "urn:gatehouse:acr:password"
    }
}
