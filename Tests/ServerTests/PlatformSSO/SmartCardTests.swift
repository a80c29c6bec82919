// SPDX-License-Identifier: Apache-2.0
import AttestationSupport
import JOSE
import PlatformSSO
import Primitives
import ProviderCore
import Storage
import Support
import Testing
import WebAuthn

@Suite struct SmartCardTests {
    private let authority: PersonalAuthority

    init() throws { authority = try PersonalAuthority() }

    private func house(
        _ more: String = #""smart_card_revocation":"off","smart_card_mapping":["upn"]"#
            + #","smart_card_upn_domains":["corp.example.com"]"#,
        anna: String = "", http: any OutgoingHTTP = NoOutgoingHTTP()
    ) async throws -> DeviceHouse {
        try await DeviceHouse(try TestCard.settings(authority, more), anna: anna, http: http)
    }

    @Test("a card signs its person in, without having been registered")
    func signsIn() async throws {
        let house = try await house()
        let machine = try await TestMachine.registered(in: house)
        let card = try TestCard(authority)
        let context = try await machine.context()
        let assertion = try context.assertion(
            key: card.key.publicKey, certificates: card.certificates
        ).signed(by: JOSESigner(card.key, algorithm: .es256))
        let draft = try context.login(.signedAssertion(assertion), random: house.random)
        let response = try machine.response(
            try await house.post(try machine.signed(draft)), context)
        let body = response.idToken.split(separator: ".")[1]
        let claims = try JSONParser.parseObject(
            try #require(Base64URL.decode(String(body))), maximumBytes: 65_536)
        #expect(claims["amr"]?.strings == ["sc"])
        #expect(claims["acr"] == "phr")
        let device = try #require(
            try await house.provider.store.devices.devices(
                of: try await house.tenant().project.id, after: nil, limit: 1
            ).first)
        #expect(
            try await house.provider.store.devices.users(of: device.id).map(\.method) == [
                .smartCard
            ])
        var filter = AuditFilter()
        filter.action = "device.sign-in"
        let event = try #require(
            try await house.provider.store.auditLog.auditEvents(filter, before: nil, limit: 1).first
        )
        #expect(event.details.contains(#""mapping":"upn""#))
        #expect(event.details.contains(#""certificate":""#))
    }

    @Test("a card that is unmapped, another person's or untrusted is a wrong credential")
    func wrongCards() async throws {
        let house = try await house()
        let machine = try await TestMachine.registered(in: house)
        let card = try TestCard(authority)
        let other = try TestCard(authority) { $0.principals = ["cyn@corp.example.com"] }
        let foreign = try TestCard(try PersonalAuthority())
        let server = try TestCard(authority) {
            $0.usages = [PersonalAuthority.serverAuthentication]
        }
        for (attempt, code) in [
            (try await machine.login("bea", card: card), "certificate_unmapped"),
            (try await machine.login("nobody", card: card), "certificate_unmapped"),
            (try await machine.login(card: other), "certificate_unmapped"),
            (try await machine.login(card: foreign), "certificate_untrusted"),
            (try await machine.login(card: server), "certificate_untrusted"),
        ] {
            #expect(attempt.status == 401)
            #expect(attempt.error == code)
        }
        // Another person's certificate with one's own key.
        let thief = try await machine.login(card: other, certificates: card.certificates)
        #expect(thief.status == 401 && thief.error == "user_signature_invalid")
        #expect(try await machine.login(card: card, certificates: []).error == "user_key_unknown")
        // Who has no device learns nothing about cards.
        let stranger = try TestMachine(house)
        #expect(try await stranger.login(card: foreign).error == "device_unknown")
        var forged = machine
        forged.signing = try TestMachine.pair()
        #expect(try await forged.login(card: foreign).error == "device_unknown")
        house.clock.advance(by: .days(1400))
        #expect(try await machine.login(card: card).error == "certificate_untrusted")
    }

    @Test(
        "a card cannot sign in a person with rights beyond the project whose settings trust its root",
        arguments: [
            (Administrator.Role.owner, false), (.auditor, false), (.projectAdministrator, true),
            (.support, true),
        ])
    func administrators(role: Administrator.Role, isOfProject: Bool) async throws {
        let house = try await house()
        let machine = try await TestMachine.registered(in: house)
        let anna = try await house.person("anna")
        let role = Administrator(
            id: Identifier(now: house.clock.now, random: house.random), person: anna.id,
            project: isOfProject ? anna.project : nil, role: role, createdAt: house.clock.now)
        #expect(try await house.provider.store.administrators.assign(role) == .assigned)
        let card = try TestCard(authority)
        let answer = try await machine.login(card: card)
        #expect(answer.status == (isOfProject ? 200 : 400))
        #expect(answer.error == (isOfProject ? nil : "grant_unsupported"))
        let registered = try await machine.registerKey(
            card.key, token: machine.signedIn(), card: card.certificates)
        #expect(registered.status == (isOfProject ? 201 : 400))
    }

    @Test("where cards are not allowed they are not looked at")
    func notAllowed() async throws {
        let house = try await house()
        let machine = try await TestMachine.registered(in: house)
        try await house.apply(#""allowed_methods":["password"]"#)
        let answer = try await machine.login(card: TestCard(authority))
        #expect(answer.status == 400 && answer.error == "grant_unsupported")
    }

    @Test(
        "each rule maps the card only to the person that it names",
        arguments: [
            (#"["subject"]"#, ""), (#"["email"]"#, ""),
            (#"["email"]"#, #""email":"anna@example.com","email_verified":true"#),
            (#"["email"]"#, #""email":"anna@example.com""#),
            (#"["upn"]"#, ""),
            (
                #"["alt_security_identities"]"#,
                #""alt_security_identities":["X509:<RFC822>Anna@example.com"]"#
            ),
            (
                #"["alt_security_identities"]"#,
                #""alt_security_identities":["X509:<I>CN=Intermediate<SR>0909"]"#
            ),
            (
                #"["alt_security_identities"]"#,
                #""alt_security_identities":["#
                    + #""X509:<I>CN=Intermediate<S>C=SE, O=Maker, CN=Anna Johnson"]"#
            ),
            (
                #"["alt_security_identities"]"#,
                #""alt_security_identities":["PlatformSSO:anna@corp.example.com"]"#
            ),
            (
                #"["alt_security_identities"]"#,
                #""alt_security_identities":["X509:<SKI>00"]"#
            ),
        ])
    func rules(mapping: String, anna: String) async throws {
        let house = try await house(
            #""smart_card_revocation":"off","smart_card_mapping":\#(mapping)"#, anna: anna)
        let machine = try await TestMachine.registered(in: house)
        let isHers =
            anna.contains("verified") || anna.contains("RFC822") || anna.contains("<SR>")
            || anna.contains("<S>C=SE") || anna.contains("PlatformSSO")
        let answer = try await machine.login(card: TestCard(authority))
        #expect(answer.error == (isHers ? nil : "certificate_unmapped"))
        #expect(try await machine.login("bea", card: TestCard(authority)).status == 401)
    }

    @Test("a name in the form of Windows matches the card's, with unusual types and quotes")
    func foreignSpelling() async throws {
        let name =
            #"X509:<I>OID.2.5.4.3=Intermediate<S>C=SE,O=\"Maker\","#
            + "CN=Anna Johnson,SERIALNUMBER=42"
        let house = try await house(
            #""smart_card_revocation":"off","smart_card_mapping":["alt_security_identities"]"#,
            anna: #""alt_security_identities":["\#(name)"]"#)
        let machine = try await TestMachine.registered(in: house)
        let hers = try TestCard(authority) { $0.number = "42" }
        #expect(try await machine.login(card: hers).status == 200)
        for number in [nil, "43", "42,CN=x"] {
            let other = try TestCard(authority) { $0.number = number }
            #expect(try await machine.login(card: other).error == "certificate_unmapped")
        }
    }

    @Test("a user name as subject, and a whole principal name as user name, fit")
    func wholeNames() async throws {
        let house = try await house(
            #""smart_card_revocation":"off","smart_card_mapping":["subject","upn"]"#)
        let machine = try await TestMachine.registered(in: house)
        let bySubject = try TestCard(authority) {
            $0.name = "Anna"; $0.principals = []
        }
        #expect(try await machine.login(card: bySubject).status == 200)
        let byPrincipal = try TestCard(authority) { $0.principals = ["ANNA"] }
        #expect(try await machine.login(card: byPrincipal).status == 200)
        // The domain must be the project's.
        #expect(try await machine.login(card: TestCard(authority)).status == 401)
    }

    // MARK: Revocation

    private static let responder = "http://ocsp.example.com/"
    private static let list = "http://pki.example.com/ca.crl"
    private static let upn =
        #""smart_card_mapping":["upn"],"smart_card_upn_domains":["corp.example.com"]"#

    private func given(_ evidence: [[UInt8]], _ mode: String = "required") -> String {
        let texts = evidence.map { "\"\(Base64.encode($0))\"" }.joined(separator: ",")
        return Self.upn + #","smart_card_revocation":"\#(mode)""#
            + #","smart_card_revocation_evidence":[\#(texts)]"#
    }

    private func lists(revoking serials: [[UInt8]] = []) throws -> [[UInt8]] {
        [
            try MetadataPublisher.list(by: authority.makers.intermediate, revoking: serials),
            try MetadataPublisher.list(by: authority.makers.root),
        ]
    }

    @Test("with lists at hand a card holds until it is on one")
    func givenLists() async throws {
        let house = try await house(given(try lists()))
        let machine = try await TestMachine.registered(in: house)
        let card = try TestCard(authority)
        #expect(try await machine.login(card: card).status == 200)
        try await house.apply(
            try TestCard.settings(authority, given(try lists(revoking: [[9, 9]]))))
        let answer = try await machine.login(card: card)
        #expect(answer.status == 401 && answer.error == "certificate_revoked")
    }

    @Test("where a word is required and there is none, the person is asked to try later")
    func noWord() async throws {
        let house = try await house(given([]))
        let machine = try await TestMachine.registered(in: house)
        let card = try TestCard(authority)
        let answer = try await machine.login(card: card)
        #expect(answer.status == 503 && answer.error == "certificate_status_unknown")
        // A word about the card alone says nothing of who issued it.
        let half = [try MetadataPublisher.list(by: authority.makers.intermediate)]
        try await house.apply(try TestCard.settings(authority, given(half)))
        #expect(try await machine.login(card: card).status == 503)
        // Where it is not required, only a bad word counts.
        try await house.apply(try TestCard.settings(authority, given([], "when_known")))
        #expect(try await machine.login(card: card).status == 200)
        let bad = given(try lists(revoking: [[9, 9]]), "when_known")
        try await house.apply(try TestCard.settings(authority, bad))
        #expect(try await machine.login(card: card).error == "certificate_revoked")
    }

    private func online() throws -> TestCard {
        try TestCard(authority) {
            $0.responder = Self.responder; $0.list = Self.list
        }
    }

    private func fetched(_ hosts: String) throws -> String {
        let root = Base64.encode(try MetadataPublisher.list(by: authority.makers.root))
        return Self.upn + #","smart_card_revocation_evidence":["\#(root)"]"#
            + #","smart_card_revocation_hosts":[\#(hosts)]"#
    }

    private func answer(
        _ card: TestCard, at now: Timestamp,
        _ change: (inout PersonalAuthority.Answer) -> Void = { _ in }
    ) async throws -> OutgoingResponse {
        let path = try await card.path(at: now)
        let question = OCSPRequest(path.certificates[0], issuer: path.certificates[1])
        var answer = PersonalAuthority.Answer(at: now)
        change(&answer)
        return OutgoingResponse(status: 200, body: try authority.answer(question, answer))
    }

    @Test("the responder that the card names is asked, once for a while")
    func responder() async throws {
        let web = SmallWeb()
        let house = try await house(
            try fetched(#""ocsp.example.com","pki.example.com""#), http: web)
        let machine = try await TestMachine.registered(in: house)
        let card = try online()
        web[Self.responder] = try await answer(card, at: house.clock.now)
        #expect(try await machine.login(card: card).status == 200)
        #expect(try await machine.login(card: card).status == 200)
        #expect(web.asked.map(\.method) == ["POST"])
        #expect(web.asked.first?.headers.first?.value == "application/ocsp-request")
        house.clock.advance(by: .minutes(6))
        web[Self.responder] = try await answer(card, at: house.clock.now) { $0.word = 0xA1 }
        #expect(try await machine.login(card: card).error == "certificate_revoked")
    }

    @Test("when the responder is away or talks nonsense the list is asked for")
    func listInstead() async throws {
        let web = SmallWeb()
        let house = try await house(
            try fetched(#""ocsp.example.com","pki.example.com""#), http: web)
        let machine = try await TestMachine.registered(in: house)
        let card = try online()
        #expect(try await machine.login(card: card).status == 503)
        web[Self.responder] = OutgoingResponse(status: 200, body: [1, 2, 3])
        let list = try MetadataPublisher.list(by: authority.makers.intermediate)
        web[Self.list] = OutgoingResponse(status: 404, body: list)
        #expect(try await machine.login(card: card).status == 503)
        web[Self.list] = OutgoingResponse(status: 200, body: list)
        #expect(try await machine.login(card: card).status == 200)
    }

    @Test("only hosts of the settings are contacted, and only for the holder of the card")
    func hosts() async throws {
        let web = SmallWeb()
        let house = try await house(try fetched(#""elsewhere.example.com""#), http: web)
        let machine = try await TestMachine.registered(in: house)
        let card = try online()
        web[Self.responder] = try await answer(card, at: house.clock.now)
        #expect(try await machine.login(card: card).status == 503)
        #expect(web.asked.isEmpty)
        try await house.apply(
            try TestCard.settings(authority, fetched(#""ocsp.example.com""#)))
        let other = try online()
        #expect(
            try await machine.login(card: other, certificates: card.certificates).status == 401)
        #expect(web.asked.isEmpty)
        #expect(try await machine.login(card: card).status == 200)
    }

    // MARK: Registration

    @Test("a card is registered by its holder after a recent sign-in")
    func registration() async throws {
        let house = try await house()
        let machine = try await TestMachine.registered(in: house)
        let card = try TestCard(authority)
        let token = try await machine.signedIn()
        let answer = try await machine.registerKey(
            card.key, token: token, card: card.certificates)
        #expect(answer.status == 201 && answer.json["method"] == "smart_card")
        // On a second machine too: a card goes about with its person.
        let second = try await TestMachine.registered(in: house, serial: "C03")
        let again = try await second.registerKey(
            card.key, token: try await second.signedIn(), card: card.certificates)
        #expect(again.status == 201)
        #expect(try await second.login(card: card).status == 200)
    }

    @Test("a card is not registered for others, without its key, or without a sign-in")
    func registrationRefusals() async throws {
        let house = try await house()
        let machine = try await TestMachine.registered(in: house)
        let card = try TestCard(authority)
        let foreign = try TestCard(try PersonalAuthority())
        let other = try TestCard(authority) { $0.principals = [] }
        let token = try await machine.signedIn()
        let bea = try await machine.signedIn("bea")
        let cases: [(DeviceHouse.Answer, String)] = [
            (
                try await machine.registerKey(card.key, card: card.certificates),
                "registration_refused"
            ),
            (
                try await machine.registerKey(
                    card.key, of: "bea", token: bea, card: card.certificates),
                "certificate_unmapped"
            ),
            (
                try await machine.registerKey(
                    foreign.key, token: token, card: foreign.certificates),
                "certificate_untrusted"
            ),
            (
                try await machine.registerKey(other.key, token: token, card: other.certificates),
                "certificate_unmapped"
            ),
            (
                try await machine.registerKey(
                    other.key, token: token, card: card.certificates), "signature_invalid"
            ),
            (
                try await machine.registerKey(card.key, token: token, card: [[0x30, 0]]),
                "certificate_malformed"
            ),
            (
                try await machine.registerKey(card.key, token: token, card: []),
                "certificate_malformed"
            ),
        ]
        for (answer, code) in cases { #expect(answer.error == code) }
        try await house.apply(
            try TestCard.settings(authority, given(try lists(revoking: [[9, 9]]))))
        #expect(
            try await machine.registerKey(card.key, token: token, card: card.certificates).error
                == "certificate_revoked")
        try await house.apply("")
        #expect(
            try await machine.registerKey(card.key, token: token, card: card.certificates).error
                == "grant_unsupported")
    }

    @Test("an assertion of SAML is refused in so many words")
    func saml() async throws {
        let house = try await house()
        let machine = try await TestMachine.registered(in: house)
        for version in [VerifiedLoginRequest.SAMLVersion.v11, .v2] {
            let context = try await machine.context()
            let draft = try context.login(
                .saml(version, assertion: Array("<Assertion/>".utf8)), random: house.random)
            let answer = try await house.post(try machine.signed(draft))
            #expect(answer.status == 400 && answer.error == "saml_not_offered")
        }
    }
}
