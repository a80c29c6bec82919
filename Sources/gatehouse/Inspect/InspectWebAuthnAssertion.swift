// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives
import WebAuthn

/// `gatehouse inspect webauthn-assertion`: runs section 7.2 of WebAuthn on one response.
package enum InspectWebAuthnAssertion {
    package static func verdict(for input: JSONValue) -> JSONValue {
        let head: InspectWebAuthnHead
        let credential: StoredCredential
        let expectation: AssertionExpectation
        do {
            head = try InspectWebAuthnHead(input)
            credential = try stored(input)
            expectation = try self.expectation(input, head: head)
        } catch { return Verdict.badInput(error.reason).json }
        let response: UnverifiedAssertion
        do { response = try UnverifiedAssertion(json: head.response) } catch {
            return InspectWebAuthnHead.refused(error).json
        }
        let result = head.relyingParty.verify(
            assertion: response, for: credential, expecting: expectation)
        switch result {
        case .success(let assertion): return Verdict.accepted(value(of: assertion)).json
        case .failure(let refusal): return InspectWebAuthnHead.refused(refusal).json
        }
    }

    private static func expectation(
        _ input: JSONValue, head: InspectWebAuthnHead
    ) throws(InspectWebAuthnHead.BadInput) -> AssertionExpectation {
        var expectation = AssertionExpectation(
            challenge: head.challenge, userVerification: head.userVerification,
            extensions: try InspectExtensions.authentication(input))
        expectation.acceptsRS1 =
            try InspectWebAuthnHead.algorithms("algorithms", in: input)?.contains(.rs1) ?? false
        try InspectWebAuthnDemands.apply(input, to: &expectation)
        return expectation
    }

    private static func stored(
        _ input: JSONValue
    ) throws(InspectWebAuthnHead.BadInput) -> StoredCredential {
        guard let credential = input["credential"], credential.object != nil else {
            throw InspectWebAuthnHead.BadInput("\"credential\" must be an object")
        }
        let count = try InspectWebAuthnHead.optional(
            "signCount", in: credential, "a number of 32 bits",
            { $0.integer.flatMap { UInt32(exactly: $0) } })
        return StoredCredential(
            id: try InspectWebAuthnHead.bytes("id", in: credential),
            publicKey: try InspectWebAuthnHead.bytes("publicKey", in: credential),
            signCount: count ?? 0,
            backupEligible: try InspectWebAuthnHead.optional(
                "backupEligible", in: credential, "true or false", \.bool),
            userHandle: try InspectWebAuthnDemands.handle("userHandle", credential))
    }

    private static func value(of assertion: VerifiedAssertion) -> JSONValue {
        [
            "credentialId": .string(Base64URL.encode(assertion.credentialId)),
            "flags": InspectWebAuthnHead.json(assertion.flags),
            "signCount": .integer(Int64(assertion.signCount)),
            "signCountOutcome": .string(assertion.signCountOutcome.rawValue),
            "extensions": InspectWebAuthnHead.json(assertion.extensions),
            "extensionResults": InspectExtensions.json(assertion.extensionResults),
        ]
    }
}
