// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import HTTPTypes
import JOSE
import OAuth
import Primitives
import Storage
import Support
import Testing

/// Approvals whose installation is locked before the client has fetched what was approved.
@Suite struct LockedApprovalTests {
    private let house: RegistrationHouse
    private let device: AppDevice
    private let userID: String
    private let right = "24681"

    init() async throws {
        house = try await RegistrationHouse()
        try await house.change {
            $0.policy.registration.approvals.enabled = true
            $0.policy.registration.pin.attempts = 3
        }
        try await house.oauth.addClient("bank") {
            $0.metadata.grantTypes = [TokenRequest.backchannelGrantType, "refresh_token"]
            $0.metadata.scope = "openid offline_access"
        }
        device = try await AppDevice.registered(in: house, pin: right)
        let token = try #require(try await device.signIn(right).body["access_token"]?.string)
        let claims = try house.oauth.json(try await house.oauth.userInfo(token))
        userID = try #require(claims["sub"]?.string)
        let enrolled = try await house.call(
            .put, "/registration/approvals/enrollment", .object(JSONObject()), token: token)
        #expect(enrolled.status == 200)
    }

    /// Something that Anna was asked, and said yes to with her PIN.
    private func approved() async throws -> String {
        let token = try #require(try await device.signIn(right).body["access_token"]?.string)
        return try await house.approved(by: userID, device.key, token: token)
    }

    @Test("Attack 37: a PIN exhausted between approval and redemption: the client gets nothing")
    func locked() async throws {
        // There is no other reason for a refusal.
        #expect(try await house.poll(try await approved())["access_token"] != nil)
        let id = try await approved()
        for wrong in ["11221", "11222"] {
            #expect(try await device.signIn(wrong).isAccepted == false)
        }
        #expect(try await device.signIn("11223").code == "ended")
        #expect(try await house.poll(id)["error"] == "access_denied")
        #expect(try await house.poll(id)["access_token"] == nil)
    }

    @Test("Attack 37: an installation that is removed between yes and redemption approved nothing")
    func removed() async throws {
        let id = try await approved()
        let token = try #require(try await device.signIn(right).body["access_token"]?.string)
        let gone = try await house.call(
            .delete, "/registration/installations/current", token: token)
        #expect(gone.status == 204)
        #expect(try await house.poll(id)["error"] == "access_denied")
    }
}
