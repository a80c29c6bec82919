// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import SAML

extension FuzzTarget {
    /// No assertion is accepted under a key that has signed none, whichever SAML it claims to be.
    static let samlAssertion = FuzzTarget(name: "saml-assertion") { bytes in
        guard let key = try? PrivateJWK.generate(for: .es256).publicKey else { return }
        let verifier = SAMLAssertionVerifier(
            issuers: [.init(name: "http://sts.example.com/adfs/services/trust", keys: [key])],
            audiences: ["urn:federation:gatehouse"])
        for version in SAMLVersion.allCases {
            let verdict = verifier.verify(
                bytes, as: version, now: Timestamp(seconds: 1_800_000_000))
            if case .success = verdict { preconditionFailure("a forgery was accepted") }
        }
    }

    /// What a token service says of itself, and what it answers.
    static let tokenService = FuzzTarget(name: "token-service") { bytes in
        if let found = try? MetadataExchange(description: bytes) {
            precondition(found.endpoint.lowercased().hasPrefix("https://"))
        }
        let answer = try? SecurityTokenResponse(
            envelope: bytes, to: "urn:uuid:1", appliesTo: "urn:realm",
            now: Timestamp(seconds: 1_800_000_000))
        // The assertion is a complete XML document.
        if let answer { precondition(answer.assertion.first == UInt8(ascii: "<")) }
    }
}
