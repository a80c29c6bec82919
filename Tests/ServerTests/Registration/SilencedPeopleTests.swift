// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import HTTPTypes
import JOSE
import OAuth
import Primitives
import ProviderCore
import ProviderInstallations
import ProviderSupport
import Storage
import Support
import Testing

/// A disabled realm affects all operations of its people, also those of a custom identity provider,
/// a registered issuer or a test key: the key of their app, their PIN and their tokens.
@Suite struct SilencedPeopleTests {
    private static let target = "https://shop.example.com/account"

    private let http = ScriptedHTTP()
    private let house: RegistrationHouse
    private let key: AppKey

    init() async throws {
        house = try await RegistrationHouse(http: http)
        key = try AppKey()
        http.answer { _ throws(OutgoingHTTPError) in
            OutgoingResponse(
                status: 200, body: Array(#"{"status":2000,"user":{"sub":"anna-7"}}"#.utf8))
        }
        try await house.change { project in
            project.policy.registration.identityProviders = [Self.service(enabled: true)]
            project.policy.registration.methods = ["signedJWT", "customOneStep", "testKey"]
            project.policy.registration.deviceScopes = ["catalogue"]
        }
        try await house.oauth.change(client: "app") {
            $0.metadata.scope += " catalogue"
            $0.metadata.webHandoffURIs = [Self.target]
        }
    }

    private static func service(enabled: Bool) -> CustomProviderSettings {
        var service = CustomProviderSettings()
        service.id = "badge"
        service.url = "https://people.example/"
        service.enabled = enabled
        return service
    }

    private func serve(_ services: [CustomProviderSettings]) async throws {
        try await house.change { $0.policy.registration.identityProviders = services }
    }

    private func registered(
        _ method: AppRegistrationMethod, _ evidence: JSONObject
    ) async throws -> AppRegistrationResponse {
        var request = try await house.request(method, token: "", key: key)
        request.evidence = evidence
        return try #require(AppRegistrationResponse(try await house.send(request).body))
    }

    private func ofService() async throws -> AppRegistrationResponse {
        try await registered(
            .customOneStep, JSONObject([.init(name: "identity_provider", value: "badge")]))
    }

    /// What the installation's key gets without its person.
    private func deviceSession(_ installation: String) async throws -> JSONObject {
        let challenge = try await house.signInChallenge()
        let token = SignInToken(
            userID: installation, audience: challenge.audience, nonce: challenge.nonce,
            expiresAt: house.now + 300)
        let jws = try key.signer.sign(payload: token.json, typ: SignInToken.deviceType)
        return try house.oauth.json(
            try await house.signIn(String(decoding: jws, as: UTF8.self), scope: "catalogue"))
    }

    /// Expects that a person's app is refused after `silence`, and works again after `restore`.
    private func expectSilence(
        of person: AppRegistrationResponse, after silence: () async throws -> Void,
        until restore: () async throws -> Void
    ) async throws {
        let signedIn = try await house.signIn(key, as: person.userID)
        let access = try #require(signedIn["access_token"]?.string)
        let refresh = try #require(signedIn["refresh_token"]?.string)
        let opened = try await house.call(
            .post, "/registration/web-handoff", ["target": .string(Self.target)], token: access)
        #expect(opened.status == 200)
        try await silence()
        #expect(try await house.signIn(key, as: person.userID)["error"] == "invalid_grant")
        #expect(try await deviceSession(person.installationID)["error"] == "invalid_grant")
        #expect(try house.oauth.error(try await house.refresh(refresh)) == "invalid_grant")
        let account = try await house.call(.get, "/registration/installations", token: access)
        #expect(account.status == 401)
        let token = try #require(opened.body["url"]?.string?.split(separator: "=").last)
        let context = CeremonyContext(
            provider: house.provider, tenant: house.oauth.tenant, facts: house.oauth.facts,
            writer: SilentWriter())
        let entered = try await WebHandoffService(context).arrive(token: String(token), in: nil, [])
        if case .success = entered { Issue.record("a hand-off goes on") }
        try await restore()
        #expect(try house.oauth.error(try await house.refresh(refresh)) == "invalid_grant")
        #expect(try await house.signIn(key, as: person.userID)["access_token"] != nil)
        #expect(try await deviceSession(person.installationID)["access_token"] != nil)
    }

    @Test("Attack 33: people of a service that is switched off, or was taken away, stay out")
    func service() async throws {
        let anna = try await ofService()
        try await expectSilence(of: anna) {
            try await serve([Self.service(enabled: false)])
        } until: {
            try await serve([Self.service(enabled: true)])
        }
        try await expectSilence(of: anna) {
            try await serve([])
        } until: {
            try await serve([Self.service(enabled: true)])
        }
    }

    @Test("Attack 33: people of an issuer whose last key was removed stay out until it has one")
    func issuer() async throws {
        let anna = try await house.registered(key)
        let kept = try await house.provider.store.issuerKeys.issuerKeys(
            of: house.oauth.tenant.project.id, kind: .federation)
        let issued = try #require(kept.first)
        try await expectSilence(of: anna) {
            let removed = try await house.provider.store.issuerKeys.remove(
                issuerKey: issued.id, of: issued.project)
            #expect(removed == issued)
            house.provider.issuerKeys.invalidate()
        } until: {
            let isBack = try await house.provider.store.issuerKeys.save(issued)
            #expect(isBack)
            house.provider.issuerKeys.invalidate()
        }
    }

    @Test("People of test keys are refused where test keys are not accepted")
    func testKey() async throws {
        #expect(IssuerKey.testRealm == IssuedToken.testIssuer)
        let signer = try await house.addTestKey()
        let token = try house.testToken(UUIDText.make()).signed(by: signer)
        let tester = try await registered(
            .testKey, JSONObject([.init(name: "token", value: .string(token))]))
        try await expectSilence(of: tester) {
            try await house.change { $0.environment = .production }
        } until: {
            try await house.change { $0.policy.registration.testKeysInProduction = true }
        }
    }

    @Test("Attack 33: a PIN does not circumvent it, and is not consumed by the attempt")
    func pin() async throws {
        let device = try await AppDevice.registered(in: house)
        #expect(try await device.signIn("24681").isAccepted)
        let kept = try await house.provider.store.issuerKeys.issuerKeys(
            of: house.oauth.tenant.project.id, kind: .federation)
        let issued = try #require(kept.first)
        _ = try await house.provider.store.issuerKeys.remove(
            issuerKey: issued.id, of: issued.project)
        let refused = try await device.signIn("24681")
        #expect(!refused.isAccepted && refused.body["error"] == "invalid_grant")
        #expect(refused.attemptsUsed == nil)
        #expect(try await house.provider.store.issuerKeys.save(issued))
        #expect(try await device.signIn("24681").isAccepted)
    }

    @Test("A local person whose app registered otherwise is not affected")
    func others() async throws {
        let anna = try await house.registered(key)
        try await serve([])
        #expect(try await house.signIn(key, as: anna.userID)["access_token"] != nil)
        try await house.change { $0.environment = .production }
        #expect(try await house.signIn(key, as: anna.userID)["access_token"] != nil)
    }
}
