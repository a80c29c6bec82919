// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import PlatformSSO
import Primitives
import ProviderCore
import Storage
import Support
import Testing

/// What a machine holds: refresh tokens and unlock keys.
@Suite struct RegistrationTokenTests {
    @Test("a refresh token moves on, and answers once more within the grace")
    func refresh() async throws {
        let house = try await DeviceHouse()
        let machine = try await TestMachine.registered(in: house)
        let token = try await machine.signedIn()
        let (answer, context) = try await machine.refresh(token)
        let next = try machine.response(answer, context).refreshToken
        #expect(next != token)
        let (again, other) = try await machine.refresh(token)
        #expect(try machine.response(again, other).refreshToken == next)
        house.clock.advance(by: .seconds(11))
        // Reuse ends the family.
        #expect(try await machine.refresh(token).0.status == 401)
        #expect(try await machine.refresh(next).0.status == 401)
    }

    @Test("a refresh token is good on its machine only, and at no other endpoint")
    func binding() async throws {
        let house = try await DeviceHouse()
        let machine = try await TestMachine.registered(in: house)
        let other = try await TestMachine.registered(in: house, serial: "C03")
        let token = try await machine.signedIn()
        #expect(try await other.refresh(token).0.error == "refresh_token_refused")
        let elsewhere = try await house.form(
            "/token",
            [
                ("grant_type", "refresh_token"), ("client_id", "platform-sso"),
                ("refresh_token", token.revealText()),
            ])
        #expect(elsewhere.status == 400)
        #expect(try await machine.refresh(Secret("gd.x")).0.status == 401)
        #expect(try await machine.refresh(token).0.status == 200)
    }

    @Test("after the login frequency, and for a disabled person, there is no refresh")
    func ends() async throws {
        let house = try await DeviceHouse(#""login_frequency":7200"#)
        let machine = try await TestMachine.registered(in: house)
        let token = try await machine.signedIn()
        house.clock.advance(by: .seconds(7199))
        let (answer, context) = try await machine.refresh(token)
        let response = try machine.response(answer, context)
        #expect(response.refreshLifetime == .seconds(1))
        house.clock.advance(by: .seconds(1))
        #expect(try await machine.refresh(response.refreshToken).0.status == 401)
        let fresh = try await machine.signedIn()
        var anna = try await house.person("anna")
        anna.disabled = true
        _ = try await house.provider.store.people.update(anna, now: house.clock.now)
        #expect(try await machine.refresh(fresh).0.status == 401)
    }

    @Test("a revoked machine gets nothing any more, from the same moment")
    func revoked() async throws {
        let house = try await DeviceHouse()
        let machine = try await TestMachine.registered(in: house)
        let token = try await machine.signedIn()
        let project = try await house.tenant().project.id
        let devices = try await house.provider.store.devices.devices(
            of: project, after: nil, limit: 2)
        #expect(
            try await house.provider.store.devices.revoke(
                device: #require(devices.first).id, of: project, now: house.clock.now))
        #expect(try await machine.refresh(token).0.error == "device_unknown")
        #expect(try await machine.login().error == "device_unknown")
        #expect(try await machine.key(.provision, token).0.error == "device_unknown")
    }

    @Test("who is signed out everywhere is signed out on machines, and signs in again there")
    func signedOutEverywhere() async throws {
        let house = try await DeviceHouse()
        let machine = try await TestMachine.registered(in: house)
        let token = try await machine.signedIn()
        let beas = try await machine.signedIn("bea")
        _ = try await house.provider.store.sessions.endSessions(
            of: house.person("anna").id, except: nil, now: house.clock.now)
        #expect(try await machine.refresh(token).0.error == "refresh_token_refused")
        #expect(try await machine.key(.provision, token).0.error == "refresh_token_refused")
        #expect(try await machine.refresh(beas).0.status == 200)
        #expect(try await machine.login().status == 200)
    }

    @Test("an unlock key keeps its certificate while it is valid, and agrees with the machine")
    func unlock() async throws {
        let house = try await DeviceHouse(#""unlock_key_lifetime":86400"#)
        let machine = try await TestMachine.registered(in: house)
        let token = try await machine.signedIn()
        func provision() async throws -> (certificate: [UInt8], context: String) {
            let (answer, context) = try await machine.key(.provision, token)
            let response = try machine.keyResponse(answer, context)
            guard case .certificate(let der) = response.content else { return ([], "") }
            return (der, try #require(response.keyContext))
        }
        let (certificate, context) = try await provision()
        #expect(try await provision().certificate == certificate)
        let ephemeral = try TestMachine.pair()
        func exchange(_ context: String?) async throws -> (DeviceHouse.Answer, LoginRequestContext)
        {
            try await machine.key(
                .exchange(otherPublicKey: ephemeral.publicKey, context: context), token)
        }
        let (answer, asked) = try await exchange(context)
        guard case .key(let first) = try machine.keyResponse(answer, asked).content else {
            Issue.record("no key")
            return
        }
        #expect(first.reveal().count == 32)
        // There is another certificate after the expiry; the old key still decrypts.
        house.clock.advance(by: .seconds(43_200))
        let late = try await machine.signedIn()
        house.clock.advance(by: .seconds(43_200))
        let (renewed, renewal) = try await machine.key(.provision, late)
        guard case .certificate(let other) = try machine.keyResponse(renewed, renewal).content
        else { return }
        #expect(other != certificate)
        let (old, question) = try await machine.key(
            .exchange(otherPublicKey: ephemeral.publicKey, context: context), late)
        #expect(try machine.keyResponse(old, question).content == .key(first))
    }

    @Test("what was locked with a key opens for as long as it is opened now and then")
    func keptInUse() async throws {
        let house = try await DeviceHouse(#""unlock_key_lifetime":86400"#)
        let machine = try await TestMachine.registered(in: house)
        let (answer, asked) = try await machine.key(.provision, try await machine.signedIn())
        let context = try machine.keyResponse(answer, asked).keyContext
        let other = try TestMachine.pair().publicKey
        func open() async throws -> DeviceHouse.Answer {
            let token = try await machine.signedIn()
            return try await machine.key(
                .exchange(otherPublicKey: other, context: context), token
            ).0
        }
        for _ in 0..<10 {
            house.clock.advance(by: .days(50))
            #expect(try await open().status == 200)
        }
        house.clock.advance(by: .days(61))
        #expect(try await open().error == "key_context_refused")
    }

    @Test("a key context opens for its machine and its person only")
    func contexts() async throws {
        let house = try await DeviceHouse()
        let machine = try await TestMachine.registered(in: house)
        let other = try await TestMachine.registered(in: house, serial: "C03")
        let token = try await machine.signedIn()
        let (answer, asked) = try await machine.key(.provision, token)
        let context = try #require(try machine.keyResponse(answer, asked).keyContext)
        let key = try TestMachine.pair().publicKey
        let exchange = VerifiedKeyRequest.Operation.exchange(otherPublicKey: key, context: context)
        let foreign = try await other.signedIn()
        #expect(try await other.key(exchange, foreign).0.error == "key_context_refused")
        let beas = try await machine.signedIn("bea")
        #expect(try await machine.key(exchange, beas, "bea").0.error == "key_context_refused")
        #expect(try await machine.key(exchange, beas).0.error == "user_mismatch")
        for wrong in [nil, "", "AAAA", String(context.dropLast(2)) + "AA"] {
            let operation = VerifiedKeyRequest.Operation.exchange(
                otherPublicKey: key, context: wrong)
            #expect(try await machine.key(operation, token).0.status == 400)
        }
        #expect(try await machine.key(exchange, token).0.status == 200)
    }

    @Test("the key service wants version 2.0 and a token that is not long gone")
    func keyRequests() async throws {
        let house = try await DeviceHouse()
        let machine = try await TestMachine.registered(in: house)
        let token = try await machine.signedIn()
        let draft = try await machine.context().key(.provision, refreshToken: token)
        let message = try machine.signed(draft)
        #expect(
            try await house.post(message, to: "/platform-sso/key").error == "version_unsupported")
        func refreshed(_ token: Secret) async throws -> Secret {
            let (answer, context) = try await machine.refresh(token)
            return try machine.response(answer, context).refreshToken
        }
        let second = try await refreshed(token)
        // A machine that refreshes and unlocks at once shows the one before.
        #expect(try await machine.key(.provision, token).0.status == 200)
        _ = try await refreshed(second)
        #expect(try await machine.key(.provision, token).0.status == 401)
    }
}
