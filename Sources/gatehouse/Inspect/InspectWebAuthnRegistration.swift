// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives
import WebAuthn

/// `gatehouse inspect webauthn-registration`: runs section 7.1 of WebAuthn on one response.
///
/// Without `algorithms`, credential keys of every algorithm but RS1; without `attestationAlgorithms`,
/// statements by those, and by RS1 from TPMs (``AcceptedAlgorithms``); without `now`, the machine's
/// clock. With `trustAnchors`, attestation certificates must lead to one of
/// them; with `attestation` direct or enterprise besides, there must be one (``AttestationPolicy``).
package enum InspectWebAuthnRegistration {
    package static func verdict(
        for input: JSONValue, clock: any WallClock = SystemWallClock()
    ) async -> JSONValue {
        let head: InspectWebAuthnHead
        let expectation: RegistrationExpectation
        do {
            head = try InspectWebAuthnHead(input)
            expectation = try self.expectation(input, head: head, clock: clock)
        } catch { return Verdict.badInput(error.reason).json }
        let response: UnverifiedRegistration
        do { response = try UnverifiedRegistration(json: head.response) } catch {
            return InspectWebAuthnHead.refused(error).json
        }
        let result = await head.relyingParty.verify(registration: response, expecting: expectation)
        switch result {
        case .success(let registration): return Verdict.accepted(value(of: registration)).json
        case .failure(let refusal): return InspectWebAuthnHead.refused(refusal).json
        }
    }

    private static func expectation(
        _ input: JSONValue, head: InspectWebAuthnHead, clock: any WallClock
    ) throws(InspectWebAuthnHead.BadInput) -> RegistrationExpectation {
        let now = try InspectWebAuthnHead.optional("now", in: input, "a number", \.integer)
        var expectation = RegistrationExpectation(
            challenge: head.challenge, userVerification: head.userVerification,
            algorithms: try algorithms(input), attestation: try attestation(input),
            extensions: try InspectExtensions.registration(input),
            now: now.map { Timestamp(seconds: $0) } ?? clock.now)
        try InspectWebAuthnDemands.apply(input, to: &expectation)
        return expectation
    }

    /// `algorithms` of credential keys, `attestationAlgorithms` of statements; without them, what the
    /// provider accepts in a project where every algorithm but RS1 may register.
    private static func algorithms(
        _ input: JSONValue
    ) throws(InspectWebAuthnHead.BadInput) -> AcceptedAlgorithms {
        var accepted = AcceptedAlgorithms(
            try InspectWebAuthnHead.algorithms("algorithms", in: input)
                ?? COSEAlgorithm.withoutSHA1)
        if let named = try InspectWebAuthnHead.algorithms("attestationAlgorithms", in: input) {
            accepted.statements = Set(named)
            accepted.tpmStatements = Set(named)
        }
        return accepted
    }

    private static func attestation(
        _ input: JSONValue
    ) throws(InspectWebAuthnHead.BadInput) -> AttestationPolicy {
        let wanted = try InspectWebAuthnHead.optional(
            "attestation", in: input, "a string", \.string)
        guard let conveyance = AttestationConveyance(rawValue: wanted ?? "none") else {
            throw InspectWebAuthnHead.BadInput(
                "\"attestation\" must be none, indirect, direct or enterprise")
        }
        let texts = try InspectWebAuthnHead.optional(
            "trustAnchors", in: input, "a list of strings", \.strings)
        let anchors = (texts ?? []).map { Base64URL.decode($0) ?? [] }
        do {
            return try AttestationPolicy(conveyance: conveyance, trustAnchors: anchors)
        } catch {
            throw InspectWebAuthnHead.BadInput(
                "\"trustAnchors\" item \(error.index) is not a certificate in base64url DER")
        }
    }

    private static func value(of registration: VerifiedRegistration) -> JSONValue {
        [
            "credentialId": .string(Base64URL.encode(registration.credentialId)),
            "publicKey": .string(Base64URL.encode(registration.publicKey)),
            "algorithm": .integer(registration.algorithm.rawValue),
            "aaguid": .string(registration.aaguid.description),
            "format": .string(registration.format),
            "attestationType": .string(registration.attestationType.rawValue),
            "trust": .string(registration.trust.rawValue),
            "trustPath": .array(registration.trustPath.map { .string(Base64URL.encode($0)) }),
            "flags": InspectWebAuthnHead.json(registration.flags),
            "signCount": .integer(Int64(registration.signCount)),
            "transports": .array(registration.transports.map { .string($0) }),
            "extensions": InspectWebAuthnHead.json(registration.extensions),
            "extensionResults": InspectExtensions.json(registration.extensionResults),
        ]
    }
}
