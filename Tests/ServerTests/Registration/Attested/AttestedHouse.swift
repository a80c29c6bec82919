// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import Attestation
import AttestationSupport
import CBOR
import Crypto
import HTTPServer
import HTTPTypes
import JOSE
import OAuth
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderSupport
import Storage
import Support
import Testing

/// A provider whose project accepts apps on Apple's systems and on Android, with roots, keys and
/// services of the test.
struct AttestedHouse {
    static let decryption = [UInt8](100..<132)

    let http = ScriptedHTTP()
    let house: RegistrationHouse
    let authority: AttestationAuthority
    /// Of the team, for DeviceCheck.
    let teamKey = P256.Signing.PrivateKey()
    /// Signs integrity tokens.
    let playKey = P256.Signing.PrivateKey()

    init(
        deviceCheck: String = "https://devicecheck.example", http other: (any OutgoingHTTP)? = nil,
        _ change: (inout JSONObject, inout JSONObject) -> Void = { _, _ in }
    ) async throws {
        authority = try AttestationAuthority()
        let scripted = http
        house = try await RegistrationHouse(http: other ?? scripted)
        http.answer { request throws(OutgoingHTTPError) in
            guard request.address.text == RevocationStatusList.address else {
                throw OutgoingHTTPError(.unreachable, "nobody else is there")
            }
            return OutgoingResponse(status: 200, body: Array(#"{"entries":{}}"#.utf8))
        }
        let root = JSONValue.array([.string(Base64.encode(try authority.root.der))])
        var apple = JSONObject([
            .init(name: "applications", value: [.string(AppAttestation.application)]),
            .init(name: "environment", value: "development"),
            .init(name: "roots", value: root), .init(name: "receipt_roots", value: root),
            .init(name: "device_check_key_id", value: "KEY7890123"),
            .init(name: "device_check_team_id", value: "TEAM123456"),
            .init(name: "device_check_address", value: .string(deviceCheck)),
            .init(name: "device_check_key", value: .string(teamKey.pemRepresentation)),
        ])
        let fingerprint = try #require(
            CertificateFingerprint(bytes: AndroidAttestation.fingerprint))
        var android = JSONObject([
            .init(
                name: "applications",
                value: [
                    [
                        "package": .string(AndroidAttestation.application),
                        "fingerprints": [.string(fingerprint.description)],
                    ]
                ]),
            .init(name: "roots", value: root),
            .init(
                name: "play_verification_key",
                value: .string(Base64.encode(Array(playKey.publicKey.derRepresentation)))),
            .init(
                name: "play_decryption_key", value: .string(Base64.encode(Self.decryption))),
        ])
        change(&apple, &android)
        try await apply(apple, android)
    }

    /// As an administrator would.
    func apply(_ apple: JSONObject, _ android: JSONObject) async throws {
        let methods: JSONValue = [
            "signedJWT", "appAttest", "deviceCheck", "keyAttestation", "playIntegrity",
        ]
        let project: JSONValue = [
            "name": "default", "environment": "development",
            "registration": [
                "methods": methods, "apple": .object(apple), "android": .object(android),
            ],
        ]
        let state = try StateParser.parse(["projects": [project]])
        _ = try await StateReconciler(house.provider).apply(state, facts: house.oauth.facts).get()
        house.provider.tenants.invalidate()
    }

    // MARK: Evidence

    /// A registration whose evidence is made for its challenge.
    func request(
        _ method: AppRegistrationMethod, key: AppKey, id: Identifier<AppRegistrationRequest>? = nil,
        nonce: String? = nil,
        evidence: (_ nonce: String, _ challenge: [UInt8]) throws -> JSONObject
    ) async throws -> AppRegistrationRequest {
        let fresh = if let nonce { nonce } else { try await house.nonce(method.rawValue) }
        let challenge = KeyBinding(nonce: fresh, key: key.key).bytes
        return AppRegistrationRequest(
            method: method, registrationID: id ?? house.newID(), nonce: fresh,
            evidence: try evidence(fresh, challenge), key: key.sent,
            keyProof: try key.proof(fresh), name: "Notes on a phone")
    }

    func appAttest(
        _ made: AppAttestation, _ challenge: [UInt8]
    ) throws -> JSONObject {
        var made = made
        made.challenge = challenge
        made.receiptFields.created = house.oauth.clock.now.rfc3339
        return JSONObject([
            .init(name: "key_id", value: .string(Base64URL.encode(made.keyHash))),
            .init(name: "attestation", value: .string(Base64URL.encode(try made.attestation()))),
        ])
    }

    /// Registers a person with App Attest.
    func registered(
        _ made: AppAttestation, _ key: AppKey
    ) async throws -> AppRegistrationResponse {
        let request = try await request(.appAttest, key: key) { try appAttest(made, $1) }
        return try #require(AppRegistrationResponse(try await house.send(request).body))
    }

    func android(_ made: AndroidAttestation, _ nonce: String) throws -> JSONObject {
        var made = made
        made.description.challenge = try #require(Base64URL.decode(nonce))
        let path = try made.path().map { JSONValue.string(Base64.encode($0)) }
        return JSONObject([.init(name: "certificates", value: .array(path))])
    }

    func play(
        _ challenge: [UInt8], _ change: (inout JSONObject) -> Void = { _ in }
    ) throws -> JSONObject {
        var request = JSONObject([
            .init(name: "requestPackageName", value: .string(AndroidAttestation.application)),
            .init(name: "nonce", value: .string(Base64URL.encode(challenge))),
            .init(name: "timestampMillis", value: .string("\(house.now * 1000)")),
        ])
        change(&request)
        let verdict: JSONValue = [
            "requestDetails": .object(request),
            "appIntegrity": [
                "appRecognitionVerdict": "PLAY_RECOGNIZED",
                "packageName": .string(AndroidAttestation.application),
                "certificateSha256Digest": [
                    .string(Base64URL.encode(AndroidAttestation.fingerprint))
                ],
            ],
            "deviceIntegrity": ["deviceRecognitionVerdict": ["MEETS_DEVICE_INTEGRITY"]],
        ]
        let pair = try PrivateJWK(scalar: Secret(playKey.rawRepresentation), on: .p256)
        let inner = try JOSESigner(pair, algorithm: .es256)
            .sign(payload: verdict.bytes, typ: "JWT")
        let shared = try SymmetricJWK(Secret(Self.decryption), parameters: KeyParameters())
        let encrypter = try JWEEncrypter(
            key: .symmetricKey(shared), algorithm: .a256KW, encryption: .a256GCM)
        let token = String(
            decoding: try encrypter.encrypt(inner, random: house.oauth.random), as: UTF8.self)
        return JSONObject([.init(name: "token", value: .string(token))])
    }

    // MARK: Signing in

    /// Returns a sign-in token of the key, which is also the text of an assertion.
    func assertion(_ user: String, _ key: AppKey) async throws -> String {
        let challenge = try await house.signInChallenge()
        return try SignInToken(
            userID: user, audience: challenge.audience, nonce: challenge.nonce,
            expiresAt: house.now + 300
        ).signed(by: key.signer)
    }

    func appAssertion(
        over text: String, by key: P256.Signing.PrivateKey, counter: UInt8,
        application: String = AppAttestation.application
    ) throws -> String {
        let data =
            Array(SHA256.hash(data: Array(application.utf8))) + [0x40, 0, 0, 0, counter]
        let nonce = Array(SHA256.hash(data: data + SHA256.hash(data: Array(text.utf8))))
        let signature = Array(try key.signature(for: nonce).derRepresentation)
        return Base64URL.encode(
            CBORValue.map([
                CBOREntry(.text("signature"), .byteString(signature[...])),
                CBOREntry(.text("authenticatorData"), .byteString(data[...])),
            ]).encoded(ordering: .ctap2))
    }

    func signIn(_ assertion: String, _ app: String?) async throws -> Bool {
        var form = [
            "grant_type": TokenRequest.assertionGrantType, "assertion": assertion,
            "client_id": "app",
        ]
        form["app_assertion"] = app
        return try await house.oauth.post("/token", form).status.code == 200
    }
}
