// SPDX-License-Identifier: Apache-2.0
import JOSE
import PlatformSSO
import Primitives
import ProviderCore
import ProviderDevices
import ProviderTokens
import Storage
import Support
import Testing

/// Who may use which machine, and what applications are told of it.
@Suite struct DevicePolicyTests {
    private func claims(
        _ machine: TestMachine
    ) async throws -> (JSONObject, LoginResponse) {
        let context = try await machine.context()
        let draft = try context.login(
            .password(Secret(DeviceHouse.password)), random: machine.house.random)
        let response = try machine.response(
            try await machine.house.post(try machine.signed(draft)), context)
        let body = String(response.idToken.split(separator: ".")[1])
        let claims = try JSONParser.parseObject(
            try #require(Base64URL.decode(body)), maximumBytes: 65_536)
        return (claims, response)
    }

    private func device(_ house: DeviceHouse) async throws -> Device {
        try #require(
            try await house.provider.store.devices.devices(
                of: try await house.tenant().project.id, after: nil, limit: 1
            ).first)
    }

    private func report(
        _ compliance: Device.Compliance?, _ house: DeviceHouse
    ) async throws {
        let device = try await device(house)
        #expect(
            try await house.provider.store.devices.note(
                compliance: compliance, until: house.clock.now + .hours(1), of: device.id,
                in: device.project))
    }

    @Test("only members of the groups may sign in on machines, and lose it at the next refresh")
    func groups() async throws {
        let house = try await DeviceHouse(#""sign_in_groups":["staff","guests"]"#)
        let machine = try await TestMachine.registered(in: house)
        let token = try await machine.signedIn()
        #expect(try await machine.refresh(token).0.status == 200)
        try await house.apply(#""sign_in_groups":["admins"]"#)
        let answer = try await machine.login()
        #expect(answer.status == 400 && answer.error == "sign_in_not_allowed")
        // A wrong password is still that.
        #expect(try await machine.login(password: "wrong").status == 401)
        let later = try await machine.refresh(token).0
        #expect(later.status == 400 && later.error == "sign_in_not_allowed")
    }

    @Test("where it is required, a machine must be found in order, and not too long ago")
    func compliance() async throws {
        let house = try await DeviceHouse(#""require_compliance":true"#)
        let machine = try await TestMachine.registered(in: house)
        let unknown = try await machine.login()
        #expect(unknown.status == 400 && unknown.error == "device_not_compliant")
        try await report(.noncompliant, house)
        #expect(try await machine.login().error == "device_not_compliant")
        try await report(.compliant, house)
        let token = try await machine.signedIn()
        house.clock.advance(by: .hours(1))
        #expect(try await machine.refresh(token).0.error == "device_not_compliant")
        try await report(.compliant, house)
        #expect(try await machine.refresh(token).0.status == 200)
        // New keys of the same device leave the report unchanged; a device that registers with a
        // token has none.
        var rotated = machine
        rotated.encryption = try TestMachine.pair()
        #expect(try await rotated.register().status == 201)
        #expect(try await rotated.login().status == 200)
        let wiped = try await TestMachine.registered(in: house)
        #expect(try await wiped.login().error == "device_not_compliant")
    }

    @Test("applications are told of the machine where the project wants that")
    func claim() async throws {
        let house = try await DeviceHouse()
        let machine = try await TestMachine.registered(in: house)
        #expect(try await claims(machine).0["device"] == nil)
        try await house.apply(#""device_claim":true"#)
        let id = try await device(house).id.description
        let plain = try await claims(machine).0["device"]
        #expect(plain?["id"]?.string == id)
        #expect(plain?["attested"] == false && plain?["compliance"] == "unknown")
        try await report(.compliant, house)
        #expect(try await claims(machine).0["device"]?["compliance"] == "compliant")
        try await report(nil, house)
        #expect(try await claims(machine).0["device"]?["compliance"] == "unknown")
    }

    @Test(
        "an access token comes along where the project wants one, ends with the login, and registers nothing"
    )
    func accessToken() async throws {
        let house = try await DeviceHouse(#""access_token":true,"registration_by_people":true"#)
        let machine = try await TestMachine.registered(in: house)
        let token = try #require(try await claims(machine).1.accessToken)
        let verifier = AccessTokenVerifier(house.provider)
        let tenant = try await house.tenant()
        let verified = try await verifier.verify(
            token, tenant: tenant, for: .provider, shownWith: .bearer, now: house.clock.now)
        #expect(verified?.claims.clientID == "platform-sso")
        #expect(verified?.hasScope("openid") == true)
        #expect(verified?.hasScope("urn:apple:platformsso") == false)
        let other = try TestMachine(house, serial: "C03")
        #expect(try await other.register(bearer: token).error == "registration_refused")
        try await house.apply("")
        #expect(try await claims(machine).1.accessToken == nil)
    }

    @Test(
        "the client's own claims are in what a machine gets for a person, as in every other token")
    func ownClaims() async throws {
        let house = try await DeviceHouse(
            #""access_token":true"#, anna: #""attributes":{"department":"sales"}"#)
        let machine = try await TestMachine.registered(in: house)
        // The client is made with the first login.
        _ = try await machine.signedIn()
        let tenant = try await house.tenant()
        var client = try #require(
            try await house.provider.store.clients.client(
                clientID: "platform-sso", in: tenant.project.id))
        let rows: JSONValue = [
            ["claim": "role", "in": ["id_token"], "from_groups": ["staff": "Editor"]],
            ["claim": "department", "in": ["access_token"], "from_attribute": "department"],
        ]
        client.metadata.claims = rows.text
        #expect(try await house.provider.store.clients.save(client, now: house.clock.now))
        house.provider.clients.invalidate()
        let (identity, response) = try await claims(machine)
        #expect(identity["role"] == "Editor" && identity["department"] == nil)
        let token = try #require(response.accessToken)
        let body = try #require(Base64URL.decode(String(token.split(separator: ".")[1])))
        let access = try JSONParser.parseObject(body, maximumBytes: 65_536)
        #expect(access["department"] == "sales" && access["role"] == nil)
    }

    @Test("Attack 74: a login gives the account a name that stays, whatever the user name becomes")
    func accountNames() async throws {
        let house = try await DeviceHouse()
        let machine = try await TestMachine.registered(in: house)
        #expect(try await claims(machine).0["account_name"] == "anna")
        let project = try await house.tenant().project.id
        let anna = try #require(
            try await house.provider.store.people.person(username: "anna", in: project))
        let names = AccountName.candidates(for: anna) + ["other"]
        for _ in 0..<2 {
            #expect(
                try await house.provider.store.people.assignAccountName(
                    names, to: anna.id, in: project, now: house.clock.now) == "anna")
        }
        #expect(try await claims(machine).0["account_name"] == "anna")
    }

    @Test("a machine is told the project's settings in the words of the payload")
    func profile() async throws {
        let house = try await DeviceHouse(
            #""profile":["AdministratorGroups=admins,wheel","OfflineGracePeriod=7","#
                + #""AuthorizationGroups=system.print=printers"],"login_frequency":7200"#)
        let machine = try TestMachine(house)
        let token = try await house.registrationToken()
        let answer = try await machine.register { $0["registration_token"] = .string(token) }
        let profile = answer.json["profile"]
        #expect(profile?["AdministratorGroups"]?.strings == ["admins", "wheel"])
        #expect(profile?["OfflineGracePeriod"] == 7)
        #expect(profile?["AuthorizationGroups"]?["system.print"] == "printers")
        #expect(profile?["LoginFrequency"] == 7200)
        #expect(profile?["AuthenticationMethod"] == "Password")
    }
}
