// SPDX-License-Identifier: Apache-2.0
import AttestationSupport
import JOSE
import Primitives
import SAML

typealias AssertionMaker = SAMLAssertionMaker
let now = AssertionMaker.now
let issuer = AssertionMaker.issuer
let audience = AssertionMaker.audience
let exclusive = AssertionMaker.exclusive
let signatureNamespace = AssertionMaker.signatureNamespace

extension SAMLAssertionMaker {
    var version: SAMLVersion { isOld ? .v11 : .v2 }

    func verify(
        _ text: String? = nil, at time: Timestamp = SAMLAssertionMaker.now
    ) throws -> Result<VerifiedSAMLAssertion, SAMLRefusal> {
        try verify(bytes: Array((text ?? signed()).utf8), at: time)
    }

    func verify(
        bytes: [UInt8], at time: Timestamp = SAMLAssertionMaker.now
    ) throws -> Result<VerifiedSAMLAssertion, SAMLRefusal> {
        let verifier = SAMLAssertionVerifier(
            issuers: [.init(name: Self.issuer, keys: [try publicKey])], audiences: [Self.audience],
            recipients: ["https://id.example.com/platform-sso/token"])
        return verifier.verify(bytes, as: version, now: time)
    }

    /// Why an assertion is refused that was spoilt in that way.
    static func code(
        _ spoil: (inout AssertionMaker) throws -> Void
    ) throws -> SAMLRefusal.Code? {
        var maker = AssertionMaker()
        try spoil(&maker)
        return try maker.verify().code
    }
}

extension Result where Failure == SAMLRefusal {
    var code: SAMLRefusal.Code? {
        if case .failure(let refusal) = self { refusal.code } else { nil }
    }
}
