// SPDX-License-Identifier: Apache-2.0
import AttestationSupport
import Crypto
import Foundation
import GatehouseClient
import GatehouseTesting
import JOSE
import Primitives
import Support
import Testing

/// An app with the SDK, whose provider may die under any of its requests.
struct CeremonyApp: Sendable {
    let house: CeremonyHouse
    let client: IdentityClient
    let wire: KillingTransport

    /// Returns the registration request of a new person by that method; the same person at each
    /// use.
    func request(
        _ method: GatehouseClient.RegistrationMethod, id: UUID
    ) async throws -> RegistrationRequest {
        switch method {
        case .testKey:
            return .credential(
                try TestKeyCredentialProvider(
                    privateKeyPEM: house.testKeyPEM, keyID: house.testKeyID))
        case .signedJWT:
            return .credential(
                try SignedJWTCredentialProvider(
                    issuer: "https://idp.example", keyID: "k1",
                    privateKeyPEM: house.issuerKey.pemRepresentation, subject: id.uuidString))
        case .oidc:
            let key = try PrivateJWK.generate(for: .es256)
            let token = try await signInOnPage(key)
            return .evidence(.oidc) { _ in
                RegistrationEvidence([
                    "access_token": token, "proof": try proof(key, "/registration", token),
                ])
            }
        case .customOneStep:
            return .evidence(.customOneStep) { _ in
                RegistrationEvidence(["identity_provider": "number", "data": id.uuidString])
            }
        case .customTwoStep:
            return .evidence(.customTwoStep) { _ in
                RegistrationEvidence(["transaction": try await start(id), "data": "2468"])
            }
        default: return .evidence(method) { try vouched(method, $0) }
        }
    }

    private func vouched(
        _ method: GatehouseClient.RegistrationMethod, _ challenge: RegistrationChallenge
    ) throws -> RegistrationEvidence {
        switch method {
        case .appAttest:
            var made = try AppAttestation(authority: house.authority)
            made.challenge = challenge.binding
            return RegistrationEvidence([
                "key_id": Base64URL.encode(made.keyHash),
                "attestation": Base64URL.encode(try made.attestation()),
            ])
        case .deviceCheck:
            return .token(Base64.encode(Array("device \(UUID())".utf8)))
        case .keyAttestation:
            var made = try AndroidAttestation(authority: house.authority)
            guard let nonce = Base64URL.decode(challenge.nonce), let key = house.keys.publicKey
            else { throw HarnessError("no nonce or no key") }
            made.description.challenge = nonce
            made.leafKey = try P256.Signing.PublicKey(rawRepresentation: key.x + key.y)
            let path = try made.path().map { JSON.string(Base64.encode($0)) }
            return try RegistrationEvidence(
                json: Data(JSON.object(["certificates": .array(path)]).bytes))
        default: return .token(try integrityToken(challenge.binding))
        }
    }

    /// What Google's classic integrity tokens are: signed, then encrypted for the project.
    private func integrityToken(_ binding: [UInt8]) throws -> String {
        let now = Int(Date().timeIntervalSince1970 * 1000)
        let package = AndroidAttestation.application
        let verdict: JSON = [
            "requestDetails": [
                "requestPackageName": .string(package),
                "nonce": .string(Base64URL.encode(binding)), "timestampMillis": .string("\(now)"),
            ],
            "appIntegrity": [
                "appRecognitionVerdict": "PLAY_RECOGNIZED", "packageName": .string(package),
                "certificateSha256Digest": [
                    .string(Base64URL.encode(AndroidAttestation.fingerprint))
                ],
            ],
            "deviceIntegrity": ["deviceRecognitionVerdict": ["MEETS_DEVICE_INTEGRITY"]],
        ]
        let pair = try PrivateJWK(scalar: Secret(house.playKey.rawRepresentation), on: .p256)
        let inner = try JOSESigner(pair, algorithm: .es256)
            .sign(payload: verdict.bytes, typ: "JWT")
        let shared = try SymmetricJWK(
            Secret(CeremonyHouse.playSecret), parameters: KeyParameters())
        let encrypter = try JWEEncrypter(
            key: .symmetricKey(shared), algorithm: .a256KW, encryption: .a256GCM)
        return String(
            decoding: try encrypter.encrypt(inner, random: SystemRandomSource()), as: UTF8.self)
    }

    /// The first of two steps, by the badge of `Examples/identity-provider`.
    private func start(_ id: UUID) async throws -> String {
        let body: JSON = [
            "identity_provider": "badge", "data": "4711",
            "registration_id": .string(id.uuidString.lowercased()),
        ]
        var request = ResourceRequest(
            house.issuer + "/registration/start", method: "POST", body: body.bytes)
        request.set("content-type", "application/json")
        let answer = try await wire.response(to: request)
        guard let transaction = try JSON(parsing: answer.body)["transaction"].string else {
            throw HarnessError("not started: \(String(decoding: answer.body, as: UTF8.self))")
        }
        return transaction
    }

    /// A proof of the key for one request (RFC 9449 section 4.2).
    private func proof(
        _ key: PrivateJWK, _ path: String, _ token: String? = nil
    ) throws -> String {
        let claims = JSONObject([
            .init(name: "jti", value: .string(UUID().uuidString)),
            .init(name: "htm", value: "POST"),
            .init(name: "htu", value: .string(house.issuer + path)),
            .init(name: "iat", value: .integer(Int64(Date().timeIntervalSince1970))),
            .init(
                name: "ath",
                value: .string(
                    Base64URL.encode(Array(SHA256.hash(data: Array((token ?? "").utf8)))))),
        ])
        let jws = try JOSESigner(key, algorithm: .es256).sign(
            payload: claims.bytes, typ: "dpop+jwt",
            header: [.init(name: "jwk", value: key.publicKey.with(KeyParameters()).json)])
        return String(decoding: jws, as: UTF8.self)
    }

    /// Anna's access token, as a browser and the code flow give it, bound to the key.
    private func signInOnPage(_ key: PrivateJWK) async throws -> String {
        let port = house.port
        let proof = try proof(key, "/token")
        return try await blocking {
            let agent = FormAgent(port: port)
            try agent.signIn("anna", DeclaredState.password)
            let query = formEncoded([
                ("response_type", "code"), ("client_id", "app"),
                ("redirect_uri", CeremonyState.callback), ("scope", "openid registration"),
                ("code_challenge", PKCEPair.challenge), ("code_challenge_method", "S256"),
            ])
            let answer = try agent.send(.init(path: "/authorize?\(query)"))
            let location = URLComponents(string: answer["location"] ?? "")
            let code = location?.queryItems?.first { $0.name == "code" }?.value ?? ""
            var request = HTTPRequestText.form(
                "/token",
                [
                    ("grant_type", "authorization_code"), ("code", code),
                    ("redirect_uri", CeremonyState.callback), ("client_id", "app"),
                    ("code_verifier", PKCEPair.verifier),
                ])
            request.headers.append(("DPoP", proof))
            let redeemed = try exchangeNow(request, port: port)
            guard let token = redeemed.json?["access_token"] as? String else {
                throw HarnessError("no token: \(redeemed.text)")
            }
            return token
        }
    }
}

/// What people do, with a provider that may be gone.
extension CeremonyApp {
    typealias Cut = KillingTransport.Cut

    /// Performs the ceremony, loses the provider at the cut, and performs it again on the same
    /// data.
    ///
    /// The first time may report that there is no response. The SDK repeats a message about a PIN
    /// by itself: then it may succeed at once, or be refused, because its nonce was consumed.
    func survives<Value>(
        _ cut: Cut, _ ceremony: () async throws -> Value
    ) async throws -> Value {
        wire.arm(cut)
        do {
            let value = try await ceremony()
            #expect(!wire.isArmed, "\(cut): no such request was made")
            return value
        } catch let error as IdentityError {
            let isRepetition = error.serverCode == "refused"
            // The app asks the operator's own provider itself, and its evidence is what fails then.
            let lost: [IdentityError.Code] =
                cut.path == "/registration/start"
                ? [.attestationFailed] : [.notReachable, .providerUnavailable]
            #expect(isRepetition || lost.contains(error.code), "\(cut): \(error)")
        }
        #expect(!wire.isArmed, "\(cut): no such request was made")
        return try await ceremony()
    }

    /// Registers a new person with a key alone.
    func registered() async throws -> Profile {
        let id = UUID()
        return try await client.register(try await request(.testKey, id: id), idempotencyKey: id)
            .profile
    }

    func registerWithPIN(
        _ request: RegistrationRequest, _ id: UUID, _ pin: String
    ) async throws -> RegistrationOutcome {
        let flow = client.registration(request, idempotencyKey: id)
        for try await step in flow {
            switch step {
            case .createPIN(let challenge): try challenge.respond(with: try PIN(pin))
            case .enterPIN(let challenge): try challenge.respond(with: try PIN(pin))
            case .browser, .custom: throw HarnessError("nobody else is asked")
            }
        }
        return try await flow.outcome
    }

    /// Signs in with those PINs, one after the other, and gives how many were wrong.
    @discardableResult
    func signIn(_ profile: Profile.ID, _ pins: String...) async throws -> Int {
        let flow = client.authenticate(profile)
        var typed = 0
        for try await case .enterPIN(let challenge) in flow {
            try challenge.respond(with: try PIN(pins[min(typed, pins.count - 1)]))
            typed += 1
        }
        _ = try await flow.outcome
        return typed - 1
    }

    /// The person shows themselves with that PIN, and to the system.
    func addPasskey(_ profile: Profile.ID, _ pin: String) async throws {
        let flow = client.enroll(.passkey, for: profile)
        for try await step in flow {
            switch step {
            case .enterPIN(let challenge): try challenge.respond(with: try PIN(pin))
            case .authenticator(let challenge): try challenge.respond(prompt: "Add a passkey")
            }
        }
        _ = try await flow.outcome
    }

    /// Returns the number of passkeys of the signed-in person.
    func passkeys() async throws -> Int? {
        let session = try await client.session()
        let answer = try await session.data(
            for: ResourceRequest(house.issuer + "/registration/passkeys"))
        return try JSON(parsing: answer.body)["items"].array?.count
    }

    /// The person who changes it does not know which one counts by now, and tries both.
    func changePIN(_ profile: Profile.ID, from old: String, to new: String) async throws {
        let flow = client.changePIN(of: profile)
        for try await step in flow {
            switch step {
            case .enterPIN(let challenge):
                try challenge.respond(with: try PIN(challenge.attempts == nil ? old : new))
            case .createPIN(let challenge): try challenge.respond(with: try PIN(new))
            }
        }
        _ = try await flow.outcome
    }
}
