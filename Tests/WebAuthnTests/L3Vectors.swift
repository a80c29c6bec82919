// SPDX-License-Identifier: Apache-2.0
import Foundation
import Primitives
import Testing
import WebAuthn

/// The test vectors of the specification (W3C WebAuthn Level 3, "Test Vectors"), from
/// ../shared/vectors. A separate clone has no such directory, and then the suites that require them
/// are skipped.
struct L3Vector: Decodable, Sendable, CustomTestStringConvertible {
    struct Registration: Decodable, Sendable {
        let challenge: String
        let aaguid: String
        let credentialId: String
        let clientDataJSON: String
        let attestationObject: String
    }

    struct Authentication: Decodable, Sendable {
        let challenge: String
        let authenticatorData: String
        let clientDataJSON: String
        let signature: String
    }

    let name: String
    let registration: Registration
    let authentication: Authentication

    var testDescription: String { name }

    struct File: Decodable {
        struct Root: Decodable { let attestationCaCert: String }
        let attestationRoot: Root?
        let vectors: [L3Vector]
    }

    private static func file(_ path: String) -> File? {
        let path = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: path).standardizedFileURL
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try? decoder.decode(File.self, from: Data(contentsOf: path))
    }

    private static let shared = file("../shared/vectors/webauthn-l3.json")
    /// The five that the shared file leaves out, derived from the specification's rule.
    private static let more = file("Tests/Vectors/webauthn-l3-more.json")

    static let all = (shared?.vectors ?? []) + (more?.vectors ?? [])
    static let root = hex(shared?.attestationRoot?.attestationCaCert ?? "")
    static let isPresent = shared != nil

    var isCrossOrigin: Bool { name.hasSuffix("crossOrigin") || hasTopOrigin }
    var hasTopOrigin: Bool { name.hasSuffix("topOrigin") }

    /// Whether a certificate attests; the others have no attestation or self attestation.
    var isCertified: Bool { !name.hasPrefix("none") && !name.contains("self") }

    var relyingParty: RelyingParty {
        RelyingParty(
            id: "example.org", origins: ["https://example.org"],
            topOrigins: hasTopOrigin ? ["https://example.com"] : [],
            allowCrossOrigin: isCrossOrigin)
    }

    /// 2026, when every certificate of the vectors is valid.
    static let now = Timestamp(seconds: 1_790_000_000)

    func registrationExpectation(anchors: [[UInt8]] = [root]) throws -> RegistrationExpectation {
        RegistrationExpectation(
            challenge: hex(registration.challenge), userVerification: .discouraged,
            algorithms: AcceptedAlgorithms(COSEAlgorithm.withoutSHA1),
            attestation: try AttestationPolicy(
                conveyance: isCertified ? .direct : .none, trustAnchors: anchors),
            now: Self.now)
    }

    var registrationResponse: UnverifiedRegistration {
        UnverifiedRegistration(
            id: hex(registration.credentialId), clientDataJSON: hex(registration.clientDataJSON),
            attestationObject: hex(registration.attestationObject))
    }

    var assertionResponse: UnverifiedAssertion {
        UnverifiedAssertion(
            id: hex(registration.credentialId),
            clientDataJSON: hex(authentication.clientDataJSON),
            authenticatorData: hex(authentication.authenticatorData),
            signature: hex(authentication.signature))
    }

    var assertionExpectation: AssertionExpectation {
        AssertionExpectation(
            challenge: hex(authentication.challenge), userVerification: .discouraged)
    }
}

/// The bytes that hexadecimal digits spell; spaces are ignored. Only for literals of tests.
func hex(_ digits: String) -> [UInt8] {
    let values = digits.compactMap(\.hexDigitValue)
    return stride(from: 0, to: values.count - 1, by: 2).map {
        UInt8(values[$0] << 4 | values[$0 + 1])
    }
}
