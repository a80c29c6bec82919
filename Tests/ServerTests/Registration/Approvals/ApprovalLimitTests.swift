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

/// What clients leave in the audit trail that ask again and again.
@Suite struct ApprovalLimitTests {
    private let house: RegistrationHouse
    private let userID: String

    init() async throws {
        house = try await RegistrationHouse()
        try await house.change { $0.policy.registration.approvals.enabled = true }
        try await house.oauth.addClient("bank") {
            $0.metadata.grantTypes = [TokenRequest.backchannelGrantType]
            $0.metadata.scope = "openid offline_access"
        }
        let key = try AppKey()
        userID = try await house.registered(key).userID
        let body = try await house.signIn(key, as: userID)
        let enrolled = try await house.call(
            .put, "/registration/approvals/enrollment", .object(JSONObject()),
            token: try #require(body["access_token"]?.string))
        #expect(enrolled.status == 200)
    }

    private func events() async throws -> [AuditEvent] {
        await house.provider.audit.flush()
        return try await house.events("approval.requested")
    }

    @Test("Attack 68: a hundred refusals after the limit are one event")
    func limitIsCounted() async throws {
        for _ in 0..<BackchannelEndpoint.maximumRequests {
            #expect(try await house.ask(userID)["auth_req_id"] != nil)
        }
        for _ in 0..<100 {
            #expect(try await house.ask(userID)["error"] == "too_many_attempts")
        }
        let refused = try await events().filter { $0.code == "too_many_attempts" }
        #expect(refused.map(\.count) == [100])
    }

    @Test("Attack 67: what a public client asks for is counted, and logged with its name")
    func publicClient() async throws {
        for _ in 0..<20 {
            _ = try await house.oauth.post(
                "/bc-authorize", ["client_id": "app", "scope": "openid", "login_hint": userID])
        }
        let found = try await events()
        #expect(found.map(\.code) == ["unauthorized_client"] && found.map(\.count) == [20])
        let lines = house.oauth.log.lines.filter { $0.message == "approval request refused" }
        #expect(lines.count == 20 && lines.allSatisfy { $0.metadata["client_id"] == "app" })
    }
}
