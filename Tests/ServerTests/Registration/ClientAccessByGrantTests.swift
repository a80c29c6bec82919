// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import HTTPTypes
import JOSE
import OAuth
import Primitives
import ProviderCore
import ProviderPeople
import Storage
import Support
import Testing

/// Who may use a client, at the grants of apps: by key, by an issuer, alone, by PIN, by passkey, by
/// approval.
@Suite struct ClientAccessByGrantTests {
    private static let board = #"{"groups":["board"]}"#

    private let house: RegistrationHouse
    private let key: AppKey
    private let registered: AppRegistrationResponse

    init() async throws {
        house = try await RegistrationHouse()
        try await house.change {
            $0.policy.registration.deviceScopes = ["catalogue"]
            $0.policy.registration.approvals.enabled = true
            $0.policy.selfRegistration = true
        }
        try await house.oauth.change(client: "app") {
            $0.metadata.scope += " catalogue"
            $0.metadata.grantTypes.append(TokenRequest.passkeyGrantType)
        }
        key = try AppKey()
        registered = try await house.registered(key)
    }

    private func restrict(
        _ client: String = "app", _ access: String? = board, acr: String? = nil
    ) async throws {
        try await house.oauth.change(client: client) {
            $0.metadata.access = access
            $0.metadata.requiredContextClass = acr
        }
    }

    /// The grant is refused, and its event has the client and the reason.
    private func expectRefused(
        _ body: JSONObject, _ action: String, by client: String = "app",
        because reason: String = "not in the client's access",
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        #expect(body["error"] == "invalid_grant", sourceLocation: sourceLocation)
        #expect(body["access_token"] == nil, sourceLocation: sourceLocation)
        let event = try await house.events(action).first { $0.code != nil }
        #expect(event?.clientID == client, sourceLocation: sourceLocation)
        #expect(event?.details.contains(reason) == true, sourceLocation: sourceLocation)
    }

    @Test("Attack 72: an app's key is refused for a person without access to its client")
    func installation() async throws {
        #expect(try await house.signIn(key, as: registered.userID)["access_token"] != nil)
        try await restrict()
        let refused = try await house.signIn(key, as: registered.userID)
        try await expectRefused(refused, "token.assertion")
        try await restrict("app", nil, acr: "phr")
        let weak = try await house.signIn(key, as: registered.userID)
        #expect(weak["error"] == "invalid_grant")
        let reasons = try await house.events("token.assertion").map(\.details)
        #expect(reasons.contains { $0.contains("required_acr is not reached") })
    }

    @Test("Attack 72: nor does the word of an issuer")
    func federated() async throws {
        try await restrict()
        let answer = try await house.signIn(house.token().signed(by: house.signer))
        try await expectRefused(try house.oauth.json(answer), "token.assertion")
    }

    @Test("Attack 72: an installation's own session is refused for them too")
    func deviceSession() async throws {
        try await restrict()
        let challenge = try await house.signInChallenge()
        let token = SignInToken(
            userID: registered.installationID, audience: challenge.audience,
            nonce: challenge.nonce, expiresAt: house.now + 300)
        let jws = try key.signer.sign(payload: token.json, typ: SignInToken.deviceType)
        let answer = try await house.signIn(
            String(decoding: jws, as: UTF8.self), scope: "catalogue")
        try await expectRefused(try house.oauth.json(answer), "token.device")
    }

    @Test("Attack 72: nor does a PIN")
    func pin() async throws {
        let device = try await AppDevice.registered(in: house)
        #expect(try await device.signIn("24681").isAccepted)
        try await restrict()
        try await expectRefused(try await device.signIn("24681").body, "token.pin")
    }

    @Test("Attack 72: nor does a passkey")
    func passkey() async throws {
        let tenant = try #require(try await house.provider.tenant(named: "default"))
        let context = CeremonyContext(
            provider: house.provider, tenant: tenant, facts: house.oauth.facts,
            writer: SilentWriter())
        let passkey = try SoftwarePasskey(
            origin: OAuthHouse.issuer, relyingPartyID: "localhost", random: house.oauth.random)
        let options = try await PasskeyOptions.register(
            SignUpForm(username: "pia"), in: context
        ).get()
        let person = try await CeremonyRunner(context).run(
            PasskeyRegistration(
                ceremony: options.ceremony,
                response: try Self.json(passkey.registration(challenge: options.ceremony)),
                signedIn: nil)
        ).get().person
        func signIn() async throws -> JSONObject {
            let ceremony = try await PasskeyOptions.signIn(in: context).get().ceremony
            let answer: JSONValue = [
                "ceremony": .string(ceremony),
                "credential": try Self.json(
                    passkey.assertion(challenge: ceremony, userHandle: person.id.bytes)),
            ]
            let form = [
                "grant_type": TokenRequest.passkeyGrantType, "client_id": "app",
                "passkey": answer.text,
            ]
            return try house.oauth.json(try await house.oauth.post("/token", form))
        }
        #expect(try await signIn()["access_token"] != nil)
        try await restrict()
        try await expectRefused(try await signIn(), "token.passkey")
    }

    private static func json(_ text: String) throws -> JSONValue {
        try JSONParser.parse(Array(text.utf8), maximumBytes: 65_536)
    }

    @Test(
        "Attack 72: nor an approval; who may not use the client is not asked, and the trail says why"
    )
    func approval() async throws {
        try await house.oauth.addClient("bank") {
            $0.metadata.grantTypes = [TokenRequest.backchannelGrantType]
            $0.metadata.scope = "openid offline_access"
        }
        let token = try #require(
            try await house.signIn(key, as: registered.userID)["access_token"]?.string)
        let enrolled = try await house.call(
            .put, "/registration/approvals/enrollment", .object(JSONObject()), token: token)
        #expect(enrolled.status == 200)
        let id = try await house.approved(by: registered.userID, key, token: token)
        try await restrict("bank")
        try await expectRefused(try await house.poll(id), "token.approval", by: "bank")
        #expect(try await house.ask(registered.userID)["error"] == "unknown_user_id")
        let event = try #require(
            try await house.events("approval.requested").first { $0.code == "unknown_user_id" })
        #expect(event.clientID == "bank")
        #expect(event.person?.description == registered.userID)
        #expect(event.details.contains("not in the client's access"))
    }
}
