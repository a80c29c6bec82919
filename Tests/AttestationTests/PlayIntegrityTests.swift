// SPDX-License-Identifier: Apache-2.0
import Attestation
import AttestationSupport
import Crypto
import JOSE
import Primitives
import Support
import Testing

/// A valid Play Integrity token; tests corrupt a part of it. Google publishes no vectors, because
/// every app has separate keys: these are made with generated ones.
private struct IntegrityToken {
    static let decryption = [UInt8](100..<132)
    let key = P256.Signing.PrivateKey()
    var members = verdict()
    /// In place of the verdict.
    var payload: [UInt8]?
    var signer: PrivateJWK?
    var signingAlgorithm = JWSAlgorithm.es256
    var wrapping = JWEAlgorithm.a256KW
    var encryption = JWEEncryption.a256GCM
    var wrappingKey = decryption
    /// In place of the JWS.
    var inner: [UInt8]?
    /// In place of the token.
    var token: String?
    var policy = usualPolicy()

    static func usualPolicy() -> PlayIntegrityPolicy {
        let fingerprint = CertificateFingerprint(bytes: AndroidAttestation.fingerprint)
        return PlayIntegrityPolicy(applications: [
            AndroidApplication(
                packageName: AndroidAttestation.application,
                fingerprints: Set([fingerprint].compactMap { $0 }))
        ])
    }

    static func verdict() -> JSONObject {
        let request: JSONValue = [
            "requestPackageName": .string(AndroidAttestation.application),
            "nonce": .string(Base64URL.encode(challenge)),
            "timestampMillis": .string("\(now.milliseconds - 5000)"),
        ]
        let app: JSONValue = [
            "appRecognitionVerdict": "PLAY_RECOGNIZED",
            "packageName": .string(AndroidAttestation.application),
            "certificateSha256Digest": [.string(Base64URL.encode(AndroidAttestation.fingerprint))],
            "versionCode": "42",
        ]
        return JSONObject([
            .init(name: "requestDetails", value: request),
            .init(name: "appIntegrity", value: app),
            .init(
                name: "deviceIntegrity",
                value: [
                    "deviceRecognitionVerdict": [
                        "MEETS_BASIC_INTEGRITY", "MEETS_DEVICE_INTEGRITY",
                    ]
                ]),
            .init(name: "accountDetails", value: ["appLicensingVerdict": "LICENSED"]),
        ])
    }

    /// Sets or, with `nil`, removes a member of a part.
    mutating func set(_ part: String, _ name: String, _ value: JSONValue?) {
        guard case .object(var object)? = members[part] else { return }
        object[name] = value
        members[part] = .object(object)
    }

    func made() throws -> String {
        if let token { return token }
        let pair = try signer ?? PrivateJWK(scalar: Secret(key.rawRepresentation), on: .p256)
        let inner =
            try self.inner
            ?? JOSESigner(pair, algorithm: signingAlgorithm)
            .sign(payload: payload ?? members.bytes, typ: "JWT")
        let shared = try SymmetricJWK(Secret(wrappingKey), parameters: KeyParameters())
        let encrypter = try JWEEncrypter(
            key: .symmetricKey(shared), algorithm: wrapping, encryption: encryption)
        return String(
            decoding: try encrypter.encrypt(inner, random: SeededRandom()), as: UTF8.self)
    }

    func keys() throws -> PlayIntegrityKeys {
        try #require(
            PlayIntegrityKeys(
                decryption: Secret(Base64.encode(Self.decryption)),
                verification: Base64.encode(Array(key.publicKey.derRepresentation))))
    }

    func verify(
        _ expected: [UInt8] = challenge, key: PublicJWK? = nil
    ) async throws -> Result<VerifiedPlayIntegrity, AttestationRefusal> {
        let (text, keys) = (try made(), try keys())
        let evidence: UnverifiedPlayIntegrityToken
        do throws(AttestationRefusal) { evidence = try UnverifiedPlayIntegrityToken(text) } catch {
            return .failure(error)
        }
        return await PlayIntegrityVerifier(keys: keys, policy: policy).verify(
            evidence, expecting: AttestationExpectation(challenge: expected, key: key, now: now))
    }

    static func code(
        _ spoil: (inout IntegrityToken) throws -> Void
    ) async throws -> AttestationRefusal.Code? {
        var made = IntegrityToken()
        try spoil(&made)
        return try await made.verify().code
    }
}

@Suite("Play Integrity")
struct PlayIntegrityTests {
    @Test("A token of our app is decrypted and verified")
    func verifies() async throws {
        let verified = try await IntegrityToken().verify().get()
        #expect(verified.application?.packageName == AndroidAttestation.application)
        #expect(verified.verdict.app.versionCode == 42)
        #expect(verified.verdict.licensing == "LICENSED")
        #expect(verified.verdict.deviceLabels.count == 2)
    }

    @Test("The response to a standard request contains a hash instead of the nonce")
    func requestHash() async throws {
        let code = try await IntegrityToken.code {
            $0.set("requestDetails", "nonce", nil)
            $0.set("requestDetails", "requestHash", .string(Base64URL.encode(challenge)))
        }
        #expect(code == nil)
    }

    @Test("Padding and a time as a number, which older answers have, are read")
    func olderForm() async throws {
        let code = try await IntegrityToken.code {
            $0.set("requestDetails", "nonce", .string(Base64URL.encode(challenge) + "="))
            $0.set("requestDetails", "timestampMillis", .integer(now.milliseconds))
        }
        #expect(code == nil)
    }

    // MARK: The envelope

    @Test("A token encrypted with another key is refused")
    func otherKey() async throws {
        let code = try await IntegrityToken.code {
            $0.wrappingKey = [UInt8](repeating: 9, count: 32)
        }
        #expect(code == .decryptionFailed)
    }

    @Test("Other algorithms than A256KW with A256GCM are refused")
    func otherAlgorithms() async throws {
        #expect(try await IntegrityToken.code { $0.wrapping = .direct } == .decryptionFailed)
        let code = try await IntegrityToken.code { $0.encryption = .a256CBCHS512 }
        #expect(code == .decryptionFailed)
    }

    @Test("A token signed by another key is refused")
    func otherSigner() async throws {
        let code = try await IntegrityToken.code {
            $0.signer = try PrivateJWK.generate(for: .es256)
        }
        #expect(code == .signatureInvalid)
    }

    @Test("Other signature algorithms than ES256 are refused")
    func otherSignature() async throws {
        let code = try await IntegrityToken.code {
            $0.signer = try PrivateJWK.generate(for: .es384)
            $0.signingAlgorithm = .es384
        }
        #expect(code == .signatureInvalid)
    }

    @Test("A verdict in an encrypted wrapper without a signature is refused")
    func unsigned() async throws {
        #expect(
            try await IntegrityToken.code { $0.inner = $0.members.bytes } == .signatureInvalid)
        let header: JSONValue = ["alg": "none"]
        let code = try await IntegrityToken.code {
            let text = Base64URL.encode(header.bytes) + "." + Base64URL.encode($0.members.bytes)
            $0.inner = Array((text + ".").utf8)
        }
        #expect(code == .signatureInvalid)
    }

    @Test("Text that is no JWE is refused", arguments: ["", "a.b.c", "....", "{}"])
    func noToken(_ text: String) async throws {
        #expect(try await IntegrityToken.code { $0.token = text } == .evidenceMalformed)
    }

    @Test("A token that is too long is refused unread")
    func tooLong() async throws {
        let code = try await IntegrityToken.code {
            $0.token = String(repeating: "A", count: 40_000)
        }
        #expect(code == .evidenceMalformed)
    }

    @Test("Keys that are not of the console's form are none")
    func keyForms() throws {
        let good = IntegrityToken().key.publicKey.derRepresentation
        let info = Base64.encode(Array(good))
        let short = Secret(Base64.encode([UInt8](repeating: 1, count: 16)))
        let long = Secret(Base64.encode([UInt8](repeating: 1, count: 32)))
        #expect(PlayIntegrityKeys(decryption: short, verification: info) == nil)
        #expect(PlayIntegrityKeys(decryption: Secret("?"), verification: info) == nil)
        #expect(PlayIntegrityKeys(decryption: long, verification: "AAAA") == nil)
        #expect(PlayIntegrityKeys(decryption: long, verification: info) != nil)
    }

    // MARK: The request, first of all

    @Test("A verdict for another request is refused")
    func otherChallenge() async throws {
        #expect(try await IntegrityToken().verify([1, 2, 3]).code == .challengeMismatch)
    }

    @Test("A verdict without nonce, with one that is none, or with two is refused")
    func nonceForm() async throws {
        for value in [nil, .string("not base64url!"), .integer(5)] as [JSONValue?] {
            let code = try await IntegrityToken.code { $0.set("requestDetails", "nonce", value) }
            #expect(code == .challengeMismatch)
        }
        let both = try await IntegrityToken.code {
            $0.set("requestDetails", "requestHash", .string(Base64URL.encode(challenge)))
        }
        #expect(both == .challengeMismatch)
    }

    @Test("A verdict that another app asked for is refused")
    func otherPackage() async throws {
        let code = try await IntegrityToken.code {
            $0.set("requestDetails", "requestPackageName", "org.example.fake")
        }
        #expect(code == .applicationMismatch)
    }

    @Test(
        "A verdict from too long ago, or from tomorrow, is refused",
        arguments: [-300_001, 10_001, -1_800_000_000_000, 9_000_000_000_000_000])
    func time(_ offset: Int64) async throws {
        let code = try await IntegrityToken.code {
            $0.set("requestDetails", "timestampMillis", .string("\(now.milliseconds + offset)"))
        }
        #expect(code == .timestampInvalid)
    }

    @Test("A wrong request is refused before anything else is looked at")
    func requestFirst() async throws {
        let code = try await IntegrityToken.code {
            $0.set("requestDetails", "nonce", "AAAA")
            $0.set("appIntegrity", "appRecognitionVerdict", "UNRECOGNIZED_VERSION")
            $0.members["deviceIntegrity"] = [:]
        }
        #expect(code == .challengeMismatch)
    }

    @Test("A token certifies no key: who expects one is refused")
    func key() async throws {
        let key = try P256.Signing.PrivateKey().publicKey.jwk
        #expect(try await IntegrityToken().verify(key: key).code == .keyMismatch)
    }

    // MARK: The app

    @Test(
        "A version that Google Play does not know is refused",
        arguments: [
            "UNRECOGNIZED_VERSION", "UNEVALUATED", "", "SOMETHING_NEW",
        ])
    func recognition(_ verdict: String) async throws {
        let code = try await IntegrityToken.code {
            $0.set("appIntegrity", "appRecognitionVerdict", .string(verdict))
        }
        #expect(code == .applicationUnrecognized)
    }

    @Test("Attack 42: an app that was not evaluated has no fields, and is refused")
    func unevaluated() async throws {
        let code = try await IntegrityToken.code {
            $0.members["appIntegrity"] = ["appRecognitionVerdict": "UNEVALUATED"]
        }
        #expect(code == .applicationUnrecognized)
    }

    @Test("If the policy allows it, the application is not identified")
    func unevaluatedAllowed() async throws {
        var made = IntegrityToken()
        made.policy.requiresRecognizedApp = false
        made.members["appIntegrity"] = ["appRecognitionVerdict": "UNEVALUATED"]
        #expect(try await made.verify().get().application == nil)
    }

    @Test("An unrecognised version must still be ours by package and signature")
    func unrecognized() async throws {
        func code(
            _ spoil: (inout IntegrityToken) -> Void
        ) async throws -> AttestationRefusal.Code? {
            try await IntegrityToken.code {
                $0.policy.requiresRecognizedApp = false
                $0.set("appIntegrity", "appRecognitionVerdict", "UNRECOGNIZED_VERSION")
                spoil(&$0)
            }
        }
        #expect(try await code { _ in } == nil)
        let digest = "certificateSha256Digest"
        #expect(
            try await code { $0.set("appIntegrity", "packageName", nil) } == .applicationMismatch)
        #expect(
            try await code { $0.set("appIntegrity", "packageName", "org.example.fake") }
                == .applicationMismatch)
        #expect(try await code { $0.set("appIntegrity", digest, nil) } == .fingerprintMismatch)
        #expect(try await code { $0.set("appIntegrity", digest, []) } == .fingerprintMismatch)
        #expect(
            try await code { $0.set("appIntegrity", digest, ["AAAA"]) } == .fingerprintMismatch)
        let other = JSONValue.string(Base64URL.encode([UInt8](repeating: 1, count: 32)))
        #expect(
            try await code { $0.set("appIntegrity", digest, [other]) } == .fingerprintMismatch)
    }

    @Test(
        "Where a licence is demanded, an account without one is refused",
        arguments: [
            "UNLICENSED", "UNEVALUATED", nil,
        ])
    func licence(_ verdict: String?) async throws {
        let code = try await IntegrityToken.code {
            $0.policy.requiresLicence = true
            $0.set("accountDetails", "appLicensingVerdict", verdict.map { .string($0) })
        }
        #expect(code == .licenceMissing)
    }

    // MARK: The device

    @Test(
        "A device without the labels that policy names is refused",
        arguments: [
            [], ["MEETS_BASIC_INTEGRITY"], ["MEETS_VIRTUAL_INTEGRITY"],
            ["MEETS_DEVICE_INTEGRITY", "MEETS_VIRTUAL_INTEGRITY"],
        ])
    func device(_ labels: [String]) async throws {
        let code = try await IntegrityToken.code {
            $0.set(
                "deviceIntegrity", "deviceRecognitionVerdict",
                .array(labels.map { .string($0) }))
        }
        #expect(code == .deviceNotRecognized)
    }

    @Test("Attack 42: without any word about the device it is refused")
    func noDevice() async throws {
        #expect(
            try await IntegrityToken.code { $0.members["deviceIntegrity"] = nil }
                == .deviceNotRecognized)
        #expect(
            try await IntegrityToken.code { $0.members["deviceIntegrity"] = [:] }
                == .deviceNotRecognized)
    }

    @Test("Where the strong label is demanded, the usual one is not enough")
    func strong() async throws {
        let code = try await IntegrityToken.code {
            $0.policy.deviceLabels = ["MEETS_STRONG_INTEGRITY"]
        }
        #expect(code == .deviceNotRecognized)
    }

    @Test("A response that a tester chose is refused, unless it is development")
    func testing() async throws {
        let mark: JSONValue = ["isTestingResponse": true]
        let code = try await IntegrityToken.code { $0.members["testingDetails"] = mark }
        #expect(code == .testingResponse)
        let odd = try await IntegrityToken.code { $0.members["testingDetails"] = [:] }
        #expect(odd == .testingResponse)
        let development = try await IntegrityToken.code {
            $0.members["testingDetails"] = mark
            $0.policy.acceptsTestingResponses = true
        }
        #expect(development == nil)
    }

    // MARK: The form

    @Test(
        "A verdict of another form is refused",
        arguments: [
            "", "[]", "{}", #"{"requestDetails":{}}"#, #"{"requestDetails":5,"appIntegrity":{}}"#,
            #"{"requestDetails":{"requestPackageName":"a","timestampMillis":"x"},"appIntegrity":{}}"#,
            #"{"requestDetails":{"requestPackageName":"a","timestampMillis":1}}"#,
            #"{"requestDetails":{"requestPackageName":"a","timestampMillis":1},"appIntegrity":{}}"#,
        ])
    func form(_ text: String) async throws {
        let code = try await IntegrityToken.code { $0.payload = Array(text.utf8) }
        #expect(code == .evidenceMalformed)
    }

    @Test("Labels that are no list of strings are refused")
    func labelForm() async throws {
        for value in ["MEETS_DEVICE_INTEGRITY", [5], 5] as [JSONValue] {
            let code = try await IntegrityToken.code {
                $0.set("deviceIntegrity", "deviceRecognitionVerdict", value)
            }
            #expect(code == .evidenceMalformed)
        }
    }
}
