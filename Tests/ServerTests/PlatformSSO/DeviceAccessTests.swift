// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import ProviderCore
import ProviderDevices
import ProviderTokens
import Storage
import Support
import Testing

/// Who may use the client that machines speak for.
@Suite struct DeviceAccessTests {
    private static let setup =
        #""setup_assistant_team":"ABCDE12345","setup_assistant_extension":"com.example.app.sso","#
        + #""setup_assistant_app":"com.example.app","#
        + #""setup_assistant_package":"https://mdm.example.com/app.plist""#

    private func restrict(
        _ house: DeviceHouse, _ access: String?, acr: String? = nil
    ) async throws {
        var client = try #require(
            try await house.provider.store.clients.client(
                clientID: "platform-sso", in: try await house.tenant().project.id))
        client.metadata.access = access
        client.metadata.requiredContextClass = acr
        #expect(try await house.provider.store.clients.save(client, now: house.clock.now))
        house.provider.clients.invalidate()
    }

    private func refusals(_ action: String, _ house: DeviceHouse) async throws -> [AuditEvent] {
        var filter = AuditFilter()
        filter.action = action
        filter.outcome = .refused
        return try await house.provider.store.auditLog.auditEvents(filter, before: nil, limit: 100)
    }

    @Test(
        "Attack 72: who may not use the client gets in on no machine, nor stays; the trail says why"
    )
    func machines() async throws {
        let house = try await DeviceHouse()
        let machine = try await TestMachine.registered(in: house)
        let token = try await machine.signedIn()
        try await restrict(house, #""nobody""#)
        #expect(try await machine.login().error == "sign_in_not_allowed")
        #expect(try await machine.refresh(token).0.error == "sign_in_not_allowed")
        let anna = try await house.person("anna")
        for action in ["device.sign-in", "device.refresh"] {
            let event = try #require(try await refusals(action, house).first)
            #expect(event.clientID == "platform-sso" && event.person == anna.id)
            #expect(event.details.contains("the client is closed to all people"))
            #expect(event.details.contains("\"device\":"))
        }
        try await restrict(house, nil, acr: "phr")
        #expect(try await machine.login().error == "sign_in_not_allowed")
        #expect(
            try await refusals("device.sign-in", house).contains {
                $0.details.contains("required_acr is not reached")
            })
    }

    @Test(
        "Attack 72: a Mac in setup gets no token of a person who lost access, or is disabled"
    )
    func setupAssistant() async throws {
        let house = try await DeviceHouse(Self.setup)
        let action = SetupAssistantSignIn.action
        func finish(_ change: () async throws -> Void) async throws -> DeviceHouse.Answer {
            let begun = try await house.send(.get, "/platform-sso/setup/sign-in")
            let cookie = try #require(begun.headers[.setCookie]).prefix { $0 != ";" }
            let callback = try await house.signIn(for: begun)
            try await change()
            return try await house.send(
                .get, String(callback.dropFirst(DeviceHouse.issuer.count)),
                cookie: String(cookie))
        }
        let refused = try await finish { try await restrict(house, #""nobody""#) }
        #expect(refused.status == 400 && refused.headers[.location] == nil)
        #expect(refused.json["code"] == "client_access")
        let event = try #require(try await refusals(action, house).first)
        #expect(event.clientID == "platform-sso")
        #expect(event.person == (try await house.person("anna")).id)
        #expect(event.details.contains("the client is closed to all people"))
        try await restrict(house, nil)
        let weak = try await finish { try await restrict(house, nil, acr: "phr") }
        #expect(weak.json["code"] == "unmet_authentication_requirements")
        try await restrict(house, nil)
        let disabled = try await finish {
            var anna = try await house.person("anna")
            anna.disabled = true
            _ = try await house.provider.store.people.update(anna, now: house.clock.now)
        }
        #expect(disabled.json["code"] == "setup_refused")
    }
}
