// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import WebAuthn

/// One line of `Benchmarks/webauthn/ceremonies.py`, ready to be verified again and again.
struct Ceremony {
    struct Malformed: Error {}

    let work: String
    private let party: RelyingParty
    /// The browser's answer, as text: reading it is part of the work.
    private let response: [UInt8]
    private let kind: Kind

    private enum Kind {
        case registration(RegistrationExpectation)
        case assertion(StoredCredential, AssertionExpectation)
    }

    init(_ line: String) throws {
        let json = try JSONParser.parse(Array(line.utf8), maximumBytes: 65_536)
        guard let work = json["work"]?.string, let id = json["rpId"]?.string,
            let origins = json["origins"]?.strings, let response = json["response"]
        else { throw Malformed() }
        self.work = work
        party = RelyingParty(id: id, origins: origins)
        self.response = response.bytes
        kind =
            if json["kind"] == "registration" {
                .registration(try Self.registration(json))
            } else {
                try Self.assertion(json)
            }
    }

    private static func registration(_ json: JSONValue) throws -> RegistrationExpectation {
        let anchors = try (json["trustAnchors"]?.strings ?? []).map { try bytes(.string($0)) }
        return RegistrationExpectation(
            challenge: try bytes(json["challenge"]), userVerification: .required,
            algorithms: AcceptedAlgorithms(COSEAlgorithm.allCases),
            attestation: try AttestationPolicy(conveyance: .direct, trustAnchors: anchors),
            now: SystemWallClock().now)
    }

    private static func assertion(_ json: JSONValue) throws -> Kind {
        let credential = json["credential"]
        let stored = StoredCredential(
            id: try bytes(credential?["id"]), publicKey: try bytes(credential?["publicKey"]),
            signCount: 3, backupEligible: true)
        return .assertion(
            stored,
            AssertionExpectation(
                challenge: try bytes(json["challenge"]), userVerification: .required,
                allowCredentials: [stored.id]))
    }

    private static func bytes(_ json: JSONValue?) throws -> [UInt8] {
        guard let bytes = json?.string.flatMap({ Base64URL.decode($0) }) else {
            throw Malformed()
        }
        return bytes
    }

    /// Every step of section 7.1 or 7.2, from the text on.
    func verify() async throws {
        switch kind {
        case .registration(let expectation):
            _ = try await party.verify(
                registration: UnverifiedRegistration(json: response), expecting: expectation
            ).get()
        case .assertion(let stored, let expectation):
            _ = try party.verify(
                assertion: UnverifiedAssertion(json: response), for: stored,
                expecting: expectation
            ).get()
        }
    }
}
