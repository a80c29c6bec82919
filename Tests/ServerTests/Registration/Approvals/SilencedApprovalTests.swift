// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import HTTPTypes
import JOSE
import OAuth
import Primitives
import ProviderCore
import ProviderInstallations
import Storage
import Support
import Testing

/// Approvals of people in disabled realms, and for disabled clients.
@Suite struct SilencedApprovalTests {
    private let house: RegistrationHouse
    private let key: AppKey
    private let userID: String
    /// Of Anna's app, which is asked.
    private let token: String

    init() async throws {
        house = try await RegistrationHouse()
        try await house.change { $0.policy.registration.approvals.enabled = true }
        try await house.oauth.addClient("bank") {
            $0.metadata.grantTypes = [TokenRequest.backchannelGrantType, "refresh_token"]
            $0.metadata.scope = "openid offline_access"
        }
        key = try AppKey()
        userID = try await house.registered(key).userID
        token = try #require(
            try await house.signIn(key, as: userID)["access_token"]?.string)
        let enrolled = try await house.call(
            .put, "/registration/approvals/enrollment", .object(JSONObject()), token: token)
        #expect(enrolled.status == 200)
    }

    @Test("Attack 33: an approval of a person whose issuer is disabled is never redeemed")
    func silenced() async throws {
        let id = try await house.approved(by: userID, key, token: token)
        let kept = try await house.provider.store.issuerKeys.issuerKeys(
            of: house.oauth.tenant.project.id, kind: .federation)
        let issued = try #require(kept.first)
        _ = try await house.provider.store.issuerKeys.remove(
            issuerKey: issued.id, of: issued.project)
        house.provider.issuerKeys.invalidate()
        #expect(try await house.poll(id)["error"] == "access_denied")
        // Their app is signed out, so that it cannot respond to a new request.
        let asked = try await house.ask(userID)["auth_req_id"]?.string
        let listed = try await house.call(.get, "/registration/approvals", token: token)
        #expect(listed.status == 401)
        if let asked {
            #expect(try await house.poll(asked)["error"] == "authorization_pending")
        }
        #expect(try await house.provider.store.issuerKeys.save(issued))
        house.provider.issuerKeys.invalidate()
        #expect(try await house.poll(id)["access_token"] == nil)
    }

    @Test("Attack 33: a disabled client redeems no approval, and causes no request")
    func client() async throws {
        let id = try await house.approved(by: userID, key, token: token)
        try await house.oauth.change(client: "bank") { $0.disabled = true }
        #expect(try await house.poll(id)["error"] == "invalid_client")
        #expect(try await house.ask(userID)["error"] == "invalid_client")
        try await house.oauth.change(client: "bank") { $0.disabled = false }
        // What was approved for it has ended with it.
        #expect(try await house.poll(id)["error"] == "access_denied")
    }
}
