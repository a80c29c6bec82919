// SPDX-License-Identifier: Apache-2.0
import AttestationSupport
import Crypto
import HTTPTypes
import JOSE
import PlatformSSO
import Primitives
import ProviderCore
import Storage
import Support
import Testing

/// Logins with SAML assertions, as Macs make them of what a token service of WS-Trust gave them.
@Suite struct FederationTests {
    private let house: DeviceHouse
    private let machine: TestMachine
    private let maker: SAMLAssertionMaker

    private static func settings(
        _ maker: SAMLAssertionMaker, subject: String = "upn", domains: String = "corp.example.com"
    ) throws -> String {
        let key = Base64.encode(Array(maker.key.publicKey.derRepresentation))
        return """
            "federation_issuer":"\(SAMLAssertionMaker.issuer)","federation_keys":["\(key)"],
            "federation_audience":"\(SAMLAssertionMaker.audience)",
            "federation_subject":"\(subject)","federation_domains":["\(domains)"],
            "federation_metadata_url":"https://sts.example.com/adfs/services/trust/mex"
            """
    }

    init() async throws {
        let maker = SAMLAssertionMaker()
        self.maker = maker
        house = try await DeviceHouse(
            try Self.settings(maker),
            anna: #""email":"anna@example.com","email_verified":true"#)
        machine = try await TestMachine.registered(in: house)
    }

    private func login(
        _ text: String, of username: String = "anna",
        as version: VerifiedLoginRequest.SAMLVersion = .v2, on machine: TestMachine? = nil
    ) async throws -> (DeviceHouse.Answer, LoginRequestContext) {
        let machine = machine ?? self.machine
        let context = try await machine.context(username)
        let draft = try context.login(
            .saml(version, assertion: Array(text.utf8)), random: house.random)
        return (try await house.post(try machine.signed(draft)), context)
    }

    private func spoilt(
        _ spoil: (inout SAMLAssertionMaker) -> Void
    ) async throws -> DeviceHouse.Answer {
        var maker = maker
        spoil(&maker)
        return try await login(try maker.signed()).0
    }

    @Test("an assertion of the token service signs its person in, who stays signed in by refresh")
    func signsIn() async throws {
        let (answer, context) = try await login(try maker.signed())
        let response = try machine.response(answer, context)
        let claims = try JSONParser.parseObject(
            #require(
                Base64URL.decode(response.idToken.split(separator: ".").dropFirst().first ?? "")),
            maximumBytes: 65_536)
        #expect(claims["amr"] == ["fed"])
        #expect(claims["preferred_username"] == "anna")
        #expect(claims["auth_time"]?.integer == house.clock.now.seconds - 60)
        #expect(try await machine.refresh(response.refreshToken).0.status == 200)
    }

    @Test("an assertion of SAML 1.1 comes under its own grant, and under no other")
    func versions() async throws {
        var old = maker
        old.isOld = true
        // Its attributes are named by their namespace, so go by the subject.
        try await house.apply(try Self.settings(maker, subject: "name"))
        old.subject = "anna"
        #expect(try await login(try old.signed()).0.error == "saml_refused")
        #expect(try await login(try old.signed(), as: .v11).0.status == 200)
        #expect(try await login(try maker.signed(), as: .v11).0.error == "saml_refused")
    }

    @Test("an assertion replaces a password, and is refused where passwords are")
    func passwordless() async throws {
        try await house.apply(#""allowed_methods":["user_key"]"#)
        let answer = try await login(try maker.signed()).0
        #expect(answer.status == 400 && answer.error == "grant_unsupported")
    }

    @Test(
        "administrators are not signed in by an assertion, because others may set the token service"
    )
    func administrators() async throws {
        let anna = try await house.person("anna")
        let role = Administrator(
            id: Identifier(now: house.clock.now, random: house.random), person: anna.id,
            project: anna.project, role: .support, createdAt: house.clock.now)
        #expect(try await house.provider.store.administrators.assign(role) == .assigned)
        let answer = try await login(try maker.signed()).0
        #expect(answer.status == 400 && answer.error == "saml_refused")
        #expect(try await machine.login().status == 200)
    }

    @Test("Attack 54: an assertion is used once, whichever machine brings it")
    func once() async throws {
        let other = try await TestMachine.registered(in: house, serial: "C03")
        let text = try maker.signed()
        #expect(try await login(text).0.status == 200)
        for machine in [machine, other] {
            let (answer, _) = try await login(text, on: machine)
            #expect(answer.status == 400 && answer.error == "saml_refused")
        }
    }

    @Test("of many that come with one assertion at once, one gets in")
    func race() async throws {
        let text = try maker.signed()
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask { try await login(text).0.status }
            }
            return try await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(statuses.filter { $0 == 200 }.count == 1)
        #expect(statuses.filter { $0 == 400 }.count == 7)
    }

    @Test("an assertion of another person is refused, and is not a wrong password to macOS")
    func anotherPerson() async throws {
        let (answer, _) = try await login(try maker.signed(), of: "bea")
        #expect(answer.status == 400 && answer.error == "user_mismatch")
        let (nobody, _) = try await login(try maker.signed(), of: "nobody")
        #expect(nobody.status == 400 && nobody.error == "user_mismatch")
        // It was not consumed by that.
        #expect(try await login(try maker.signed()).0.status == 200)
    }

    @Test("whatever is wrong with the assertion, the answer is 400")
    func refusals() async throws {
        let spoils: [(String, (inout SAMLAssertionMaker) -> Void)] = [
            ("issuer", { $0.issuerName = "http://other.example" }),
            ("audience", { $0.audienceElement = "<saml:Audience>urn:x</saml:Audience>" }),
            ("over", { $0.end = "2027-01-15T07:58:00Z" }),
            ("key", { $0.signer = P256.Signing.PrivateKey() }), ("digest", { $0.hashed = "else" }),
        ]
        for (name, spoil) in spoils {
            let answer = try await spoilt(spoil)
            #expect(answer.status == 400 && answer.error == "saml_refused", "\(name)")
        }
        for text in ["", "x", "<a/>", maker.assertion()] where !text.isEmpty {
            #expect(try await login(text).0.error == "saml_refused")
        }
    }

    @Test("without a token service in the settings no assertion is accepted")
    func notOffered() async throws {
        try await house.apply("")
        let (answer, _) = try await login(try maker.signed())
        #expect(answer.status == 400 && answer.error == "saml_not_offered")
    }

    @Test("people are named by subject, principal name or address, as the project says")
    func subjects() async throws {
        func status(_ subject: String, _ domains: String = "corp.example.com") async throws -> Int {
            try await house.apply(try Self.settings(maker, subject: subject, domains: domains))
            var maker = maker
            maker.renew()
            maker.subject = "anna"
            maker.more = maker.more.replacing(
                "</saml:AttributeStatement>",
                with: """
                    <saml:Attribute Name="email"><saml:AttributeValue>Anna@Example.com\
                    </saml:AttributeValue></saml:Attribute></saml:AttributeStatement>
                    """)
            return try await login(try maker.signed()).0.status
        }
        #expect(try await status("name") == 200)
        #expect(try await status("upn") == 200)
        #expect(try await status("email") == 200)
        // anna@corp.example.com is not anna of another domain.
        #expect(try await status("upn", "other.example.com") == 400)
    }

    @Test("an assertion of a disabled person is refused")
    func disabled() async throws {
        var person = try await house.person("anna")
        person.disabled = true
        _ = try await house.provider.store.people.update(person, now: house.clock.now)
        #expect(try await login(try maker.signed()).0.status != 200)
    }

    // MARK: Where machines find the token service

    @Test("machines learn by the domain of a name who signs its person in")
    func discovery() async throws {
        let federated = try await house.send(
            .get, "/platform-sso/federation?user=anna@corp.example.com")
        #expect(
            federated.json == [
                "federated": true,
                "federation_metadata_url": "https://sts.example.com/adfs/services/trust/mex",
                "federation_request_urn": .string(SAMLAssertionMaker.audience),
            ])
        let predicate = try ResponsePredicate("federated = TRUE")
        #expect(predicate.holds(for: federated.json))
        // Whether there is such a person it does not say.
        let nobody = try await house.send(
            .get, "/platform-sso/federation?user=nobody@corp.example.com")
        #expect(nobody.json == federated.json)
        for name in ["anna", "anna@other.example", "@", ""] {
            let other = try await house.send(.get, "/platform-sso/federation?user=\(name)")
            #expect(other.json == ["federated": false], "\(name)")
            #expect(!predicate.holds(for: other.json))
        }
    }

    @Test("without an accepted token service the responses reveal nothing")
    func noDiscovery() async throws {
        #expect(try await house.send(.get, "/platform-sso/federation").status == 404)
        try await house.apply("")
        #expect(try await house.send(.get, "/platform-sso/federation?user=anna").status == 404)
    }
}
