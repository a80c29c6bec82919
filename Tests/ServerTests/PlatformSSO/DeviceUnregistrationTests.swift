// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import PlatformSSO
import Primitives
import ProviderCore
import Storage
import Support
import Testing

/// Machines, and people on them, that leave.
@Suite struct DeviceUnregistrationTests {
    private static let path = "/platform-sso/unregister"

    /// What a machine posts to leave, or to have a person leave.
    private func leave(
        _ machine: TestMachine, _ username: String? = nil, nonce given: String? = nil,
        signedBy key: PrivateJWK? = nil, type: String = "gatehouse-unregistration+jwt",
        _ change: (inout JSONObject) -> Void = { _ in }
    ) async throws -> DeviceHouse.Answer {
        let nonce = if let given { given } else { try await machine.house.nonce() }
        let now = machine.house.clock.now.seconds
        var claims = JSONObject([
            .init(name: "aud", value: .string(DeviceHouse.issuer + Self.path)),
            .init(name: "iat", value: .integer(now)),
            .init(name: "exp", value: .integer(now + 300)),
            .init(name: "nonce", value: .string(nonce)),
        ])
        claims["sub"] = username.map(JSONValue.string)
        change(&claims)
        let proof = try TestMachine.sign(claims, key ?? machine.signing, type: type)
        return try await machine.house.send(
            .post, Self.path, type: "application/json",
            body: JSONObject([.init(name: "proof", value: .string(proof))]).bytes)
    }

    @Test("a person leaves a machine: their token ends there, others and the machine stay")
    func person() async throws {
        let house = try await DeviceHouse()
        let machine = try await TestMachine.registered(in: house)
        let token = try await machine.signedIn()
        let answer = try await leave(machine, "anna")
        #expect(answer.status == 200 && answer.json["removed"]?.bool == true)
        #expect(try await machine.refresh(token).0.error == "refresh_token_refused")
        #expect(try await machine.login().status == 200)
    }

    @Test("a device unregisters: sign-ins on it are refused, and it may register as new")
    func machine() async throws {
        let house = try await DeviceHouse()
        let machine = try await TestMachine.registered(in: house)
        let token = try await machine.signedIn()
        #expect(try await leave(machine).json["removed"]?.bool == true)
        #expect(try await machine.login().error == "device_unknown")
        #expect(try await machine.refresh(token).0.error == "device_unknown")
        // A repetition after a lost response finds no registration.
        #expect(try await leave(machine).error == "device_unknown")
        _ = try await TestMachine.registered(in: house)
    }

    @Test("removing an unknown person succeeds", arguments: ["bea", "nobody"])
    func absent(_ username: String) async throws {
        let house = try await DeviceHouse()
        let machine = try await TestMachine.registered(in: house)
        let answer = try await leave(machine, username)
        #expect(answer.status == 200 && answer.json["removed"]?.bool == false)
    }

    @Test("a key that was rotated out ends nothing")
    func rotatedOut() async throws {
        let house = try await DeviceHouse()
        let machine = try await TestMachine.registered(in: house)
        var rotated = machine
        rotated.signing = try TestMachine.pair()
        rotated.encryption = try TestMachine.pair()
        let nonce = try await house.nonce()
        let proof = try rotated.proof(machine.signing, nonce)
        let answer = try await rotated.register(nonce: nonce) {
            $0["previous_key_proof"] = .string(proof)
        }
        #expect(answer.status == 201)
        #expect(try await leave(machine).error == "device_unknown")
        #expect(try await machine.login().status == 200)
        #expect(try await leave(rotated).json["removed"]?.bool == true)
    }

    @Test("leaving is written down, with who and where")
    func audit() async throws {
        let house = try await DeviceHouse()
        let machine = try await TestMachine.registered(in: house)
        _ = try await machine.signedIn()
        _ = try await leave(machine, "anna")
        _ = try await leave(machine)
        var filter = AuditFilter()
        filter.project = try await house.tenant().project.id
        for (action, person) in [
            ("device.user-unregistration", try await house.person("anna").id),
            ("device.unregistration", nil),
        ] {
            filter.action = action
            let events = try await house.provider.store.auditLog.auditEvents(
                filter, before: nil, limit: 9)
            #expect(events.map(\.person) == [person])
        }
    }

    @Test("a nonce is valid for one unregistration")
    func replay() async throws {
        let house = try await DeviceHouse()
        let machine = try await TestMachine.registered(in: house)
        let nonce = try await house.nonce()
        #expect(try await leave(machine, "anna", nonce: nonce).status == 200)
        #expect(try await leave(machine, nonce: nonce).error == "server_nonce_refused")
        #expect(try await machine.login().status == 200)
    }

    @Test(
        "a proof by another key, of another kind, for another place or out of its time ends nothing"
    )
    func badProofs() async throws {
        let house = try await DeviceHouse()
        let machine = try await TestMachine.registered(in: house)
        let other = try await TestMachine.registered(in: house, serial: "C03")
        let stranger = try TestMachine.pair()
        func expect(
            _ code: String, key: PrivateJWK? = nil, type: String = "gatehouse-unregistration+jwt",
            _ change: (inout JSONObject) -> Void = { _ in }
        ) async throws {
            let answer = try await leave(machine, signedBy: key, type: type, change)
            #expect(answer.status == 400 && answer.error == code)
        }
        try await expect("device_unknown", key: stranger)
        // The encryption key of a machine signs for nothing.
        try await expect("device_unknown", key: machine.encryption)
        try await expect("type_mismatch", type: "gatehouse-user-registration+jwt")
        try await expect("audience_mismatch") {
            $0["aud"] = .string(DeviceHouse.issuer + "/platform-sso/users")
        }
        try await expect("expired") { $0["exp"] = .integer(house.clock.now.seconds - 3600) }
        try await expect("claim_missing") { $0["nonce"] = nil }
        try await expect("server_nonce_refused") { $0["nonce"] = "made-up" }
        let body = try await house.send(
            .post, Self.path, type: "application/json", body: Array("{}".utf8))
        #expect(body.status == 400 && body.error == "claim_missing")
        #expect(try await machine.login().status == 200)
        #expect(try await other.login().status == 200)
    }
}
