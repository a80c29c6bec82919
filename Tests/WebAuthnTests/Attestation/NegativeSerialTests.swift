// SPDX-License-Identifier: Apache-2.0
import AttestationSupport
import CBOR
import JOSE
import Primitives
import Testing
import WebAuthn

/// Certificates whose serial number is negative (RFC 5280 section 4.1.2.2).
@Suite(.enabled(if: !WindowsHelloVector.negativeSerial.isEmpty))
struct NegativeSerialTests {
    private let vector: WindowsHelloVector

    init() throws { vector = try #require(WindowsHelloVector.negativeSerial.first) }

    /// `x5c` as it was sent.
    private func path() throws -> [[UInt8]] {
        let object = try CBORValue.decode(
            try #require(Base64URL.decode(vector.attestationObject))[...], profile: .ctap2)
        let items = object["attStmt"]?["x5c"]?.items ?? []
        return items.compactMap { $0.byteString.map { Array($0) } }
    }

    private func verify(
        anchors: [[UInt8]], at time: Timestamp? = nil,
        _ spoil: (inout [UInt8]) -> Void = { _ in }
    ) async throws -> Result<VerifiedRegistration, WebAuthnRefusal> {
        var object = try #require(Base64URL.decode(vector.attestationObject))
        spoil(&object)
        var response = try #require(vector.response.object)
        var inner = try #require(response["response"]?.object)
        inner["attestationObject"] = .string(Base64URL.encode(object))
        response["response"] = .object(inner)
        return await RelyingParty(id: vector.rpId, origins: [vector.origin]).verify(
            registration: try UnverifiedRegistration(json: .object(response)),
            expecting: RegistrationExpectation(
                challenge: try #require(Base64URL.decode(vector.challenge)),
                userVerification: .preferred,
                attestation: try AttestationPolicy(conveyance: .direct, trustAnchors: anchors),
                now: time ?? vector.time))
    }

    @Test("A path with one is led to its anchor")
    func anchored() async throws {
        let anchor = try #require(try path().last)
        #expect(try await verify(anchors: [anchor]).get().trust == .anchored)
    }

    @Test("Attack 47: a path with one, to another anchor, at another time, or altered")
    func refused() async throws {
        let other = try AttestationAuthority().root.der
        #expect(try await verify(anchors: [other]).refusal?.code == .attestationUntrusted)
        let anchor = try #require(try path().last)
        let late = vector.time + .days(20_000)
        #expect(
            try await verify(anchors: [anchor], at: late).refusal?.code == .attestationUntrusted)
        // One bit of the leaf's own signature, its last octet.
        let leaf = try #require(try path().first)
        let refused = try await verify(anchors: [anchor]) { object in
            guard let start = object.firstRange(of: leaf)?.upperBound else { return }
            object[start - 1] ^= 1
        }
        #expect(refused.refusal?.code == .attestationUntrusted)
    }
}
