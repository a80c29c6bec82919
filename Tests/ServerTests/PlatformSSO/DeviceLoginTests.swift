// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import PlatformSSO
import Primitives
import ProviderCore
import ProviderPeople
import ProviderSupport
import Storage
import Support
import Testing

@Suite struct DeviceLoginTests {
    @Test("a password lets in on a registered machine, and the answer is as macOS wants it")
    func password() async throws {
        let house = try await DeviceHouse()
        let machine = try await TestMachine.registered(in: house)
        let context = try await machine.context()
        let draft = try context.login(
            .password(Secret(DeviceHouse.password)), groups: ["admins", "staff"],
            random: house.random)
        let answer = try await house.post(try machine.signed(draft))
        #expect(
            answer.headers[.contentType] == "application/platformsso-login-response+jwt")
        #expect(answer.headers[.cacheControl] == "no-store, no-cache")
        let response = try machine.response(answer, context)
        let keys = try await house.send(.get, "/platform-sso/jwks")
        let set = try JWKSet(bytes: keys.body)
        // The published encryption key is no key for signatures.
        #expect(set.keys.count { $0.parameters.use == "enc" } == 1)
        let verified = try LoginResponseVerifier(
            configuration: context.configuration, keys: ProviderKeys(set)
        ).verify(
            response, nonce: context.nonce, groups: ["admins", "staff"], now: house.clock.now
        ).get()
        let anna = try await house.person("anna")
        #expect(verified.uniqueIdentifier == anna.id.description)
        #expect(verified.groups == ["staff"])
        #expect(verified.claims["preferred_username"] == "anna")
        #expect(response.refreshLifetime == .seconds(64_800))
    }

    @Test("a wrong password, an unknown and a disabled person get the same 401")
    func wrongCredentials() async throws {
        let house = try await DeviceHouse()
        let machine = try await TestMachine.registered(in: house)
        #expect(try await machine.login(password: "wrong").status == 401)
        #expect(try await machine.login("nobody").status == 401)
        var bea = try await house.person("bea")
        bea.disabled = true
        _ = try await house.provider.store.people.update(bea, now: house.clock.now)
        let answer = try await machine.login("bea")
        #expect(answer.status == 401)
        #expect(answer.error == "invalid_credentials")
    }

    @Test("guesses on machines count as those on pages do, and then it is later, not wrong")
    func limits() async throws {
        var limits = AttemptLimits()
        limits.perAccount = 3
        let house = try await DeviceHouse("", limits: limits)
        let machine = try await TestMachine.registered(in: house)
        let context = CeremonyContext(
            provider: house.provider, tenant: try await house.tenant(), facts: house.facts,
            limits: limits, writer: SilentWriter())
        for _ in 0..<2 {
            _ = try await CeremonyRunner(context).run(
                PasswordSignIn(username: "anna", password: Secret("wrong")))
        }
        #expect(try await machine.login(password: "wrong").status == 401)
        let answer = try await machine.login()
        #expect(answer.status == 503)
        #expect(answer.headers[.retryAfter] != nil)
        house.clock.advance(by: .minutes(15))
        #expect(try await machine.login().status == 200)
    }

    @Test(
        "Attack 68: 200 correct logins of one person at once all succeed, and after wrong ones too")
    func crowd() async throws {
        let house = try await DeviceHouse()
        let machine = try await TestMachine.registered(in: house)
        for _ in 0..<9 { #expect(try await machine.login(password: "wrong").status == 401) }
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<200 { group.addTask { try await machine.login().status } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.count { $0 == 200 } == 200)
    }

    @Test("a full password queue is 503, with the time that the queue takes")
    func fullQueue() async throws {
        let busy = BusyPool(capacity: 1)
        let house = try await DeviceHouse("", pool: busy.pool)
        let machine = try await TestMachine.registered(in: house)
        // All before it took no time by this clock, so the usual time is an eighth of it.
        try await busy.compute(for: .seconds(40))
        try await busy.holding(2) {
            let answer = try await machine.login()
            #expect(answer.status == 503, "\(answer.json.text)")
            #expect(answer.headers[.retryAfter] == "11")
        }
    }

    @Test("Attack 68: 130 correct logins from one address leave its budget as it was")
    func oneAddress() async throws {
        var limits = AttemptLimits()
        limits.perAddress = 3
        let house = try await DeviceHouse("", limits: limits)
        let machine = try await TestMachine.registered(in: house)
        for _ in 0..<130 { #expect(try await machine.login().status == 200) }
        for name in ["x", "y", "z"] { #expect(try await machine.login(name).status == 401) }
        #expect(try await machine.login().status == 503)
    }

    @Test("Attack 68: a thousand refusals after the limit are one event")
    func refusalsAreCounted() async throws {
        var limits = AttemptLimits()
        limits.perAccount = 3
        let house = try await DeviceHouse("", limits: limits)
        let machine = try await TestMachine.registered(in: house)
        for _ in 0..<3 { #expect(try await machine.login(password: "wrong").status == 401) }
        for _ in 0..<1_000 { #expect(try await machine.login().status == 503) }
        await house.provider.audit.flush()
        var filter = AuditFilter()
        filter.action = "device.sign-in"
        let events = try await house.provider.store.auditLog.auditEvents(
            filter, before: nil, limit: 100)
        #expect(events.filter { $0.code == "too_many_attempts" }.map(\.count) == [1_000])
        #expect(events.count { $0.code == "invalid_credentials" } == 3)
    }

    @Test("Attack 67: messages that no device has signed are one event, whatever key they name")
    func unsigned() async throws {
        let house = try await DeviceHouse()
        let machine = try await TestMachine.registered(in: house)
        for _ in 0..<20 {
            let message = try machine.signed(
                try await machine.context().login(.password(Secret("x")), random: house.random))
            var parts = String(decoding: message, as: UTF8.self).split(separator: ".")
            parts[2] = Substring(String(parts[2].reversed()))
            let answer = try await house.post(Array(parts.joined(separator: ".").utf8))
            #expect(answer.status == 400)
        }
        await house.provider.audit.flush()
        var filter = AuditFilter()
        filter.action = "device."
        filter.outcome = .refused
        let events = try await house.provider.store.auditLog.auditEvents(
            filter, before: nil, limit: 100)
        #expect(events.map(\.count).reduce(0, +) == 20 && events.count <= 3)
    }

    @Test("an invalid message is 400, whatever the password")
    func messages() async throws {
        let house = try await DeviceHouse()
        let machine = try await TestMachine.registered(in: house)
        let nonce = try await house.nonce()
        #expect(try await machine.login(nonce: nonce).status == 200)
        #expect(try await machine.login(nonce: nonce).error == "server_nonce_refused")
        let stranger = try TestMachine(house)
        #expect(try await stranger.login().error == "device_unknown")
        #expect(try await house.post(Array("a.b.c".utf8)).status == 400)
        let message = try machine.signed(
            try await machine.context().login(.password(Secret("x")), random: house.random))
        #expect(try await house.post(message, version: "3.0").error == "version_unsupported")
        #expect(
            try await house.form("/platform-sso/token", [("grant_type", "password")]).error
                == "grant_unsupported")
        let repeated = try await house.send(
            .post, "/platform-sso/token", type: "application/x-www-form-urlencoded",
            body: Array("grant_type=a&grant_type=b".utf8))
        #expect(repeated.error == "form_malformed")
        let typeless = try await house.send(.post, "/platform-sso/token", body: Array("x=1".utf8))
        #expect(typeless.status == 400)
    }

    @Test("a nonce is got at the token endpoint too, and is no page's to keep")
    func nonceAtToken() async throws {
        let house = try await DeviceHouse()
        let nonce = try await house.nonce(at: "/platform-sso/token")
        let machine = try await TestMachine.registered(in: house)
        #expect(try await machine.login(nonce: nonce).status == 200)
        let answer = try await house.form(
            "/platform-sso/nonce", [("grant_type", "srv_challenge")])
        #expect(answer.headers[.cacheControl] == "no-store")
    }

    @Test("a machine may hold many nonces, and use them all at once")
    func parallel() async throws {
        let house = try await DeviceHouse()
        let machine = try await TestMachine.registered(in: house)
        var nonces: [String] = []
        for _ in 0..<5 { nonces.append(try await house.nonce()) }
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for nonce in nonces {
                group.addTask { try await machine.login(nonce: nonce).status }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == [200, 200, 200, 200, 200])
    }

    @Test("a machine of one person lets no other in")
    func perUser() async throws {
        let house = try await DeviceHouse()
        let machine = try await TestMachine.registered(in: house) { $0["shared_keys"] = false }
        #expect(try await machine.login().status == 200)
        #expect(try await machine.login("bea").error == "user_mismatch")
        #expect(try await machine.login().status == 200)
    }

    @Test("what the project does not allow is not offered")
    func methods() async throws {
        let house = try await DeviceHouse(#""allowed_methods":["user_key"]"#)
        let machine = try await TestMachine.registered(in: house)
        #expect(try await machine.login().error == "grant_unsupported")
        try await house.apply(#""encrypted_password":true"#)
        #expect(try await machine.login().error == "password_not_encrypted")
        try await house.apply(#""allowed_methods":["password"]"#)
        let token = try await machine.signedIn()
        let key = try TestMachine.pair()
        #expect(try await machine.registerKey(key, token: token).error == "grant_unsupported")
    }

    @Test("a person's key is registered after a fresh sign-in, and then signs in")
    func userKey() async throws {
        let house = try await DeviceHouse()
        let machine = try await TestMachine.registered(in: house)
        let key = try TestMachine.pair()
        #expect(try await machine.login(key: key).status == 401)
        #expect(try await machine.registerKey(key).error == "registration_refused")
        let stale = try await machine.signedIn()
        house.clock.advance(by: .minutes(16))
        #expect(
            try await machine.registerKey(key, token: stale).error == "fresh_sign_in_needed")
        let token = try await machine.signedIn()
        #expect(
            try await machine.registerKey(key, of: "bea", token: token).error == "user_mismatch")
        let stranger = try TestMachine(house)
        #expect(
            try await stranger.registerKey(key, token: token).error == "device_unknown")
        let answer = try await machine.registerKey(key, token: token)
        #expect(answer.status == 201)
        #expect(answer.json["login_user_name"] == "anna")
        #expect(try await machine.login(key: key).status == 200)
        #expect(try await machine.login("bea", key: key).status == 401)
        // With an access token too; the key before it ends.
        let second = try TestMachine.pair()
        let bearer = try await house.accessToken(of: try await house.person("anna"))
        #expect(try await machine.registerKey(second, bearer: bearer).status == 201)
        #expect(try await machine.login(key: key).status == 401)
        #expect(try await machine.login(key: second).status == 200)
    }

    @Test("a person's key works on the machine it was registered on, and on no other")
    func userKeyElsewhere() async throws {
        let house = try await DeviceHouse()
        let machine = try await TestMachine.registered(in: house)
        let other = try await TestMachine.registered(in: house, serial: "C03")
        let key = try TestMachine.pair()
        _ = try await machine.registerKey(key, token: try await machine.signedIn())
        #expect(try await other.login(key: key).status == 401)
        let foreign = try await machine.signedIn()
        #expect(
            try await other.registerKey(key, token: foreign).error == "refresh_token_refused")
        let own = try await other.signedIn()
        #expect(try await other.registerKey(key, token: own).error == "key_taken")
    }

    @Test("each sign-in leaves one event with its machine, accepted or refused")
    func audit() async throws {
        let house = try await DeviceHouse()
        let machine = try await TestMachine.registered(in: house)
        _ = try await machine.login()
        _ = try await machine.login(password: "wrong")
        var filter = AuditFilter()
        filter.action = "device.sign-in"
        let events = try await house.provider.store.auditLog.auditEvents(
            filter, before: nil, limit: 10)
        #expect(
            events.map(\.code).sorted { ($0 ?? "") < ($1 ?? "") } == [nil, "invalid_credentials"])
        let anna = try await house.person("anna")
        #expect(events.allSatisfy { $0.person == anna.id })
        #expect(events.allSatisfy { $0.details.contains("\"device\":") })
    }
}
