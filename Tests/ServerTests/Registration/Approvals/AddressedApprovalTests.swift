// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import HTTPTypes
import JOSE
import OAuth
import Primitives
import ProviderCore
import Storage
import Support
import Testing

/// Approvals that are asked of a person by their e-mail address (CIBA Core 1.0 section 7.1).
@Suite struct AddressedApprovalTests {
    private static let address = "owner@example.com"

    @Test("Attack 73: an approval is asked of the owner of the address, not of whose name it is")
    func askedByAddress() async throws {
        let house = try await RegistrationHouse()
        try await house.change { $0.policy.registration.approvals.enabled = true }
        try await house.oauth.addClient("bank") {
            $0.metadata.grantTypes = [TokenRequest.backchannelGrantType, "refresh_token"]
            $0.metadata.scope = "openid offline_access"
        }
        let key = try AppKey()
        let userID = try await house.registered(key).userID
        let token = try #require(
            try await house.signIn(key, as: userID)["access_token"]?.string)
        let enrolled = try await house.call(
            .put, "/registration/approvals/enrollment", .object(JSONObject()), token: token)
        #expect(enrolled.status == 200)
        // A user name of before the rule.
        _ = try await house.oauth.addPerson(Self.address)
        #expect(try await house.ask(Self.address)["error"] == "unknown_user_id")
        let id = try #require(Identifier<Person>(userID))
        try await set(isVerified: true, of: id, house)
        for hint in [Self.address, "Owner@Example.COM"] {
            let asked = try await house.approved(by: userID, key, token: token, calledBy: hint)
            #expect(try await house.poll(asked)["access_token"]?.string != nil)
        }
        try await set(isVerified: false, of: id, house)
        #expect(try await house.ask(Self.address)["error"] == "unknown_user_id")
    }

    private func set(
        isVerified: Bool, of id: Identifier<Person>, _ house: RegistrationHouse
    ) async throws {
        var person = try #require(try await house.provider.store.people.person(id))
        (person.claims.email, person.claims.emailVerified) = (Self.address, isVerified)
        #expect(try await house.provider.store.people.update(person, now: house.oauth.clock.now))
    }
}
