// SPDX-License-Identifier: Apache-2.0
import Attestation
import AttestationSupport
import Crypto
import JOSE
import Primitives
import Testing
import WebAuthn
import X509

/// A valid attestation by Apple for a Platform SSO key; tests corrupt a part of it.
private struct AppleAttested {
    let authority: AttestationAuthority
    let key = P256.Signing.PrivateKey()
    var freshness: [UInt8]? = challenge
    var serialNumber: [UInt8]? = Array("C02XK0AAJG5J".utf8)
    var deviceIdentifier: [UInt8]? = Array("00008103-000D".utf8)
    var allowedSerials: Set<String>?
    var allowedDevices: Set<String>?
    var registered: PublicJWK?
    var roots: RootKeys?
    var certificates: [[UInt8]]?

    init() throws { authority = try AttestationAuthority() }

    func path() throws -> [[UInt8]] {
        let values = [
            ("1.2.840.113635.100.8.11.1", freshness), ("1.2.840.113635.100.8.9.1", serialNumber),
            ("1.2.840.113635.100.8.9.2", deviceIdentifier),
        ]
        let extensions = try values.compactMap { identifier, value in
            try value.map { try Certificate.Extension(identifier, $0) }
        }
        return try authority.chain(for: key.publicKey, extensions)
    }

    func verify(
        _ expected: [UInt8] = challenge, at time: Timestamp = now
    ) async throws -> Result<VerifiedAppleDevice, AttestationRefusal> {
        let verifier = AppleDeviceVerifier(
            roots: try roots ?? authority.roots, serialNumbers: allowedSerials,
            deviceIdentifiers: allowedDevices)
        return await verifier.verify(
            UnverifiedAppleDevice(certificates: try certificates ?? path()),
            expecting: AttestationExpectation(
                challenge: expected, key: try registered ?? key.publicKey.jwk, now: time))
    }

    static func code(
        _ spoil: (inout AppleAttested) throws -> Void
    ) async throws -> AttestationRefusal.Code? {
        var made = try AppleAttested()
        try spoil(&made)
        return try await made.verify().code
    }
}

@Suite("A key on a managed Apple device")
struct AppleDeviceTests {
    @Test("A certified key is verified, with the device that it names")
    func verifies() async throws {
        var made = try AppleAttested()
        made.allowedSerials = ["C02XK0AAJG5J"]
        made.allowedDevices = ["00008103-000D"]
        let verified = try await made.verify().get()
        #expect(verified.key == (try made.key.publicKey.jwk))
        #expect(verified.serialNumber == "C02XK0AAJG5J")
        #expect(verified.deviceIdentifier == "00008103-000D")
    }

    @Test("A listed serial number in lower case or with spaces is the same one")
    func comparedSerial() async throws {
        var made = try AppleAttested()
        made.allowedSerials = ["c02xk0 aajg5j"]
        #expect(try await made.verify().get().serialNumber == "C02XK0AAJG5J")
        made.allowedSerials = ["C02XK0AAJG5"]
        #expect(try await made.verify().code == .deviceIdentifierMismatch)
    }

    @Test("A certificate without a device passes if none is required")
    func anonymous() async throws {
        var made = try AppleAttested()
        made.serialNumber = nil
        made.deviceIdentifier = nil
        let verified = try await made.verify().get()
        #expect(verified.serialNumber == nil && verified.deviceIdentifier == nil)
    }

    @Test("A chain to another root is refused")
    func otherRoot() async throws {
        let code = try await AppleAttested.code { $0.roots = try AttestationAuthority().roots }
        #expect(code == .chainUntrusted)
        #expect(try await AppleAttested.code { $0.roots = RootKeys.none } == .chainUntrusted)
    }

    @Test("Outside its time the certificate is refused")
    func expired() async throws {
        for seconds: Int64 in [1_600_000_000, 1_950_000_000, -1, .max / 1000] {
            let time = Timestamp(seconds: seconds)
            #expect(try await AppleAttested().verify(at: time).code == .chainUntrusted)
        }
    }

    @Test("No certificates are refused")
    func noCertificates() async throws {
        #expect(try await AppleAttested.code { $0.certificates = [] } == .chainMalformed)
    }

    @Test("A freshness code for another challenge is refused")
    func otherChallenge() async throws {
        #expect(try await AppleAttested().verify([1]).code == .challengeMismatch)
        let wrapped = try await AppleAttested.code { $0.freshness = der([0x04], challenge) }
        #expect(wrapped == .challengeMismatch)
    }

    @Test("A certificate without freshness code is refused")
    func noFreshness() async throws {
        #expect(try await AppleAttested.code { $0.freshness = nil } == .extensionMissing)
    }

    @Test("A key that is not the certified one is refused")
    func otherKey() async throws {
        let code = try await AppleAttested.code {
            $0.registered = try P256.Signing.PrivateKey().publicKey.jwk
        }
        #expect(code == .keyMismatch)
    }

    @Test("A device that is not on the list, or is not named, is refused")
    func otherDevice() async throws {
        let other = try await AppleAttested.code { $0.allowedSerials = ["C02XK0AAJG5K"] }
        #expect(other == .deviceIdentifierMismatch)
        let unnamed = try await AppleAttested.code {
            $0.allowedSerials = ["C02XK0AAJG5J"]
            $0.serialNumber = nil
        }
        #expect(unnamed == .deviceIdentifierMismatch)
        let otherUDID = try await AppleAttested.code { $0.allowedDevices = [] }
        #expect(otherUDID == .deviceIdentifierMismatch)
    }

    @Test("A serial number that is no text is refused", arguments: [[], [0xFF, 0xFE]])
    func noText(_ bytes: [UInt8]) async throws {
        #expect(try await AppleAttested.code { $0.serialNumber = bytes } == .extensionMalformed)
    }
}
