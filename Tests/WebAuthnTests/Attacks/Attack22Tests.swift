// SPDX-License-Identifier: Apache-2.0
import CBOR
import Crypto
import Foundation
import JOSE
import Support
import SwiftASN1
import Testing
import WebAuthn
import X509

@Suite("Attack 22: Android keys and SafetyNet")
struct Attack22Tests {
    typealias Key = Attested.KeyDescription

    static let authorizations: [(String, [[UInt8]], [[UInt8]])] = [
        ("for all applications, software", [Key.allApplications], [Key.purpose(2), Key.origin(0)]),
        (
            "for all applications, hardware", [],
            [Key.purpose(2), Key.origin(0), Key.allApplications]
        ),
        ("imported", [], [Key.purpose(2), Key.origin(2)]),
        ("of unknown origin", [], [Key.purpose(2), Key.origin(3)]),
        ("two origins", [Key.origin(2)], [Key.purpose(2), Key.origin(0)]),
        ("for encryption", [], [Key.purpose(0), Key.origin(0)]),
        ("for signing and decryption", [], [Key.purpose(1, 2), Key.origin(0)]),
        ("for verification alone", [], [Key.purpose(3), Key.origin(0)]),
        ("for attesting other keys", [Key.purpose(7)], [Key.purpose(2), Key.origin(0)]),
    ]

    @Test("Attack 22: a key that may be more than a credential", arguments: authorizations)
    func authorization(_ name: String, _ software: [[UInt8]], _ hardware: [[UInt8]]) async throws {
        let made = try Attested.androidKey {
            $0.software = software
            $0.hardware = hardware
        }
        #expect(
            await made.refusal() == statementRefusal(.attestationKeyAuthorizationWrong), "\(name)")
    }

    @Test("Attack 22: a key of software, where the policy wants hardware")
    func software() async throws {
        var made = try Attested.androidKey {
            $0.software = $0.hardware
            $0.hardware = []
        }
        #expect(await made.refusal() == nil)
        made.policy.requiresHardwareKeyOfAndroid = true
        #expect(await made.refusal() == statementRefusal(.attestationKeyAuthorizationWrong))
        var hardware = try Attested.androidKey()
        hardware.policy.requiresHardwareKeyOfAndroid = true
        #expect(await hardware.refusal() == nil)
    }

    @Test(
        "Attack 22: W3C's vector without origin and purpose, where hardware enforcement is required",
        .enabled(if: L3Vector.isPresent))
    func specificationVector() async throws {
        let vector = try #require(L3Vector.all.first { $0.name == "android-key-es256" })
        var expectation = try vector.registrationExpectation()
        expectation.attestation.requiresHardwareKeyOfAndroid = true
        let result = await vector.relyingParty.verify(
            registration: vector.registrationResponse, expecting: expectation)
        #expect(result.refusal == statementRefusal(.attestationKeyAuthorizationWrong))
    }

    static let descriptions: [(String, [UInt8])] = [
        ("empty", []), ("null", [5, 0]), ("an empty sequence", [0x30, 0]),
        ("cut short", Array(Key(challenge: [1]).encoded.dropLast())),
        ("a byte behind", Key(challenge: [1]).encoded + [0]),
        ("a tag twice", twice), ("no list", noList),
        ("purpose is no set", purposeNoSet), ("origin is no number", originNoNumber),
    ]

    private static var twice: [UInt8] {
        var key = Key(challenge: [1])
        key.hardware = [Key.origin(0), Key.origin(0)]
        return key.encoded
    }

    private static var noList: [UInt8] {
        der(
            [0x30],
            der([2], [1]) + der([10], [1]) + der([2], [1]) + der([10], [1]) + der([4], [1])
                + der([4], []) + der([0x31], []) + der([0x30], []))
    }

    private static var purposeNoSet: [UInt8] {
        var key = Key(challenge: [1])
        key.hardware = [der([0xA1], der([0x02], [2]))]
        return key.encoded
    }

    private static var originNoNumber: [UInt8] {
        var key = Key(challenge: [1])
        key.hardware = [der([0xBF, 0x85, 0x3E], der([0x04], [0]))]
        return key.encoded
    }

    @Test("Attack 22: a key description that Android does not write", arguments: descriptions)
    func description(_ name: String, _ bytes: [UInt8]) async throws {
        let made = try Attested.androidKey { $0.raw = bytes }
        #expect(
            await made.refusal() == statementRefusal(.attestationKeyDescriptionMalformed),
            "\(name)")
    }

    @Test("Attack 22: no key description at all")
    func noDescription() async throws {
        var made = try Attested.androidKey()
        try made.certify([1, 2, 3], nil, of: made.credentialKey)
        #expect(await made.refusal() == statementRefusal(.attestationKeyDescriptionMalformed))
    }

    /// Skipped without ../shared/vectors: a separate clone has no such directory.
    @Test(
        "The key descriptions of two real phones are read",
        .enabled(if: L3Vector.isPresent),
        arguments: ["caiman-sdk36-sb-ec-rkp", "tegu-sdk36-tee-ec-2026-root"])
    func real(_ name: String) throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "../shared/vectors/android-key-\(name).pem").standardizedFileURL
        let text = try String(contentsOf: path, encoding: .utf8)
        let leaf = try #require(try PEMDocument.parseMultiple(pemString: text).first)
        let certificate = try Certificate(derEncoded: leaf.derBytes)
        let found = try #require(certificate.extensions[oid: [1, 3, 6, 1, 4, 1, 11129, 2, 1, 17]])
        let description = try AndroidKeyDescription(der: found.value)
        #expect(description.hardwareEnforced.origin == 0)
        #expect(description.hardwareEnforced.purposes == [2, 3])
        #expect(!description.softwareEnforced.isForAllApplications)
        #expect(!description.attestationChallenge.isEmpty)
    }

    // MARK: SafetyNet

    @Test("Attack 22: SafetyNet at the edges of its minute")
    func edges() async throws {
        let oldest = try Attested.safetyNet { $0.milliseconds -= 55_000 }
        #expect(await oldest.refusal() == nil)
        let newest = try Attested.safetyNet { $0.milliseconds += 15_000 }
        #expect(await newest.refusal() == nil)
        for milliseconds in [.min, .max, 0, -1] as [Int64] {
            let made = try Attested.safetyNet { $0.milliseconds = milliseconds }
            #expect(await made.refusal() == statementRefusal(.attestationTimestampInvalid))
        }
    }

    @Test("Attack 22: SafetyNet by a certificate of another host")
    func host() async throws {
        for host in ["evil.example", "attest.android.com.evil.example", "xattest.android.com"] {
            let made = try Attested.safetyNet { $0.host = host }
            #expect(await made.refusal() == statementRefusal(.attestationCertificateInvalid))
        }
    }

    @Test("Attack 22: SafetyNet signed by another key, and by an algorithm that does not fit")
    func signature() async throws {
        let other = try Attested.safetyNet { $0.signer = .init() }
        #expect(await other.refusal() == statementRefusal(.attestationSignatureInvalid))
        let rsa = try Attested.safetyNet { $0.algorithm = "RS256" }
        #expect(await rsa.refusal() == statementRefusal(.attestationAlgorithmMismatch))
        for algorithm in ["none", "HS256", "PS256", ""] {
            let made = try Attested.safetyNet { $0.algorithm = algorithm }
            #expect(await made.refusal() == statementRefusal(.attestationResponseMalformed))
        }
    }

    @Test("Attack 22: SafetyNet that is no JWS, or one of wrong members")
    func malformed() async throws {
        for text in ["a.b", "a.b.c", "..", "e30.e30.AA", "{}", "a.b.c.d"] {
            var made = try Attested.safetyNet()
            made.statement["response"] = .byteString(text.utf8)
            #expect(await made.refusal() == statementRefusal(.attestationResponseMalformed))
        }
        for value in [.null, "true", 1] as [JSONValue] {
            let made = try Attested.safetyNet { $0.isGenuine = value }
            #expect(await made.refusal() == statementRefusal(.attestationResponseMalformed))
        }
        for certificate in [1, "AA", "----", "A A="] as [JSONValue] {
            let made = try Attested.safetyNet { $0.certificates = [certificate] }
            let refused = await made.refusal()
            #expect(
                refused == statementRefusal(.attestationResponseMalformed)
                    || refused == statementRefusal(.attestationCertificateInvalid))
        }
    }
}
