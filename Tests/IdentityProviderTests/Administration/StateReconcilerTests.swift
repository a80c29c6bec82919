// SPDX-License-Identifier: Apache-2.0
import JOSE
import PasswordHashing
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderPeople
import ProviderSettings
import Storage
import Testing

@Suite struct StateReconcilerTests {
    private let house: PeopleHouse

    init() async throws { house = try await PeopleHouse() }

    private static let document = #"""
        {"projects":[{"name":"default","clients":[{"client_id":"shop","client_secret":"first secret",
        "redirect_uris":["https://shop.example/cb"]}],
        "users":[{"username":"Anna","name":"Anna","password":"correct horse battery staple"}]},
        {"name":"qa","environment":"development","users":[{"username":"bob"}]}]}
        """#

    private func state(_ text: String = document) throws -> DesiredState {
        try StateParser.parse(JSONParser.parse(Array(text.utf8), maximumBytes: 100_000))
    }

    private func apply(_ text: String = document) async throws -> [StateChange] {
        try await StateReconciler(house.provider).apply(state(text), facts: house.facts).get()
    }

    private func changed(_ changes: [StateChange]) -> [StateChange] {
        changes.filter { $0.action != .unchanged }
    }

    @Test("Applying makes what is missing, and a second run changes nothing")
    func twice() async throws {
        let first = try await apply()
        #expect(changed(first).map(\.name) == ["shop", "anna", "qa", "bob"])
        #expect(changed(first).allSatisfy { $0.action == .create })
        #expect(changed(try await apply()).isEmpty)
    }

    @Test("A plan says what applying would do, and does nothing")
    func plan() async throws {
        let plan = try await StateReconciler(house.provider).plan(state()).get()
        #expect(changed(plan).count == 4)
        #expect(try await house.provider.store.projects.project(named: "qa") == nil)
        #expect(try await apply() == plan)
    }

    @Test("A changed key is named with what it was, a secret by its name only")
    func fields() async throws {
        _ = try await apply()
        let other = Self.document
            .replacing("first secret", with: "second secret").replacing("/cb", with: "/back")
        let change = try #require(changed(try await apply(other)).first)
        #expect(change.fields.map(\.name) == ["redirect_uris", "client_secret"])
        #expect(change.fields.first?.from?.strings == ["https://shop.example/cb"])
        #expect(change.fields.last?.from == nil && change.fields.last?.to == nil)
        #expect(!change.json.text.contains("secret\":\"second"))
    }

    @Test("A first password is set once: what its person signs in with stays")
    func firstPassword() async throws {
        let first = "handed over on a card"
        let document = #"""
            {"projects":[{"name":"default","users":[{"username":"anna","password":"\#(first)",
            "password_must_change":true}]}]}
            """#
        let made = try #require(changed(try await apply(document)).first)
        #expect(made.fields.map(\.name) == ["password", "password_must_change"])
        #expect(changed(try await apply(document)).isEmpty)
        #expect(try await house.signIn(password: first).code == .passwordChangeNeeded)
        // Not changed yet: another one takes its place.
        let other = document.replacing("on a card", with: "by telephone")
        #expect(changed(try await apply(other)).count == 1)
        #expect(try await house.signIn(password: first).code == .invalidCredentials)
        guard
            case .failure(let refusal) = try await house.signIn(
                password: "handed over by telephone")
        else {
            Issue.record("a first password signed in")
            return
        }
        _ = try await CeremonyRunner(house.context).run(
            FirstPasswordChange(
                ticket: refusal.ticket ?? "", password: Secret(PeopleHouse.password))
        ).get()
        for again in [document, other] { #expect(changed(try await apply(again)).isEmpty) }
        #expect(try await house.signIn().code == nil)
        #expect(throws: StateDocumentError.self) {
            try state(document.replacing(#""password":"\#(first)","#, with: ""))
        }
        #expect(throws: StateDocumentError.self) {
            try state(document.replacing(":true", with: #":"yes""#))
        }
    }

    @Test(
        "A password that an administrator sets follows the rules of one that a person chooses",
        arguments: [
            ("kurz7ab", "password_too_short"), ("password1", "password_common"),
            ("anna2026", "password_context"), ("abababababab", "password_repeated"),
            ("abcdefghijkl", "password_sequential"), ("a good one\\u0007", "password_unprintable"),
        ])
    func weakPassword(password: String, code: String) async throws {
        let weak = Self.document.replacing("correct horse battery staple", with: password)
        for document in [
            weak,
            weak.replacing(#"","password":"#, with: #"","password_must_change":true,"password":"#),
        ] {
            guard
                case .failure(let refusal) = try await StateReconciler(house.provider).apply(
                    state(document), facts: house.facts)
            else {
                Issue.record("\(password) was set")
                continue
            }
            #expect(refusal.problems.map(\.path) == ["anna.password"])
            #expect(refusal.problems.map(\.complaint.code.name) == [code])
        }
        #expect(
            try await house.provider.store.people.person(username: "anna", in: house.project.id)
                == nil)
        _ = try await apply()
        guard
            case .failure = try await StateReconciler(house.provider).apply(
                state(weak), facts: house.facts)
        else {
            Issue.record("\(password) replaced a good one")
            return
        }
    }

    @Test("The refusal of a short password names the rule")
    func shortPassword() async throws {
        let weak = Self.document.replacing("correct horse battery staple", with: "kurz7ab")
        guard
            case .failure(let refusal) = try await StateReconciler(house.provider).plan(state(weak))
        else {
            Issue.record("planned")
            return
        }
        #expect(refusal.problems.map(\.message) == ["must have at least 8 characters"])
    }

    @Test("A new password works and ends the old sessions; the same one is left alone")
    func passwords() async throws {
        _ = try await apply()
        let store = house.provider.store
        let person = try #require(
            try await store.people.person(username: "anna", in: house.project.id))
        let before = try await store.credentials.credentials(of: person.id)
        _ = try await apply()
        #expect(try await store.credentials.credentials(of: person.id) == before)
        let other = Self.document.replacing("battery staple", with: "stapler gun")
        #expect(
            changed(try await apply(other)).map(\.fields).map { $0.map(\.name) } == [["password"]])
        let phc = try #require(try await store.credentials.credentials(of: person.id).first)
            .publicPart
        let password = try #require(Password("correct horse stapler gun"))
        #expect(
            try await house.provider.passwords.verify(
                password, against: String(decoding: phc, as: UTF8.self)))
    }

    @Test("A person keeps the claims that the document does not mention")
    func claimsStay() async throws {
        _ = try await apply()
        _ = try await apply(
            #"{"projects":[{"name":"default","users":[{"username":"anna","email":"a@b.example"}]}]}"#
        )
        let person = try await house.provider.store.people.person(
            username: "anna", in: house.project.id)
        #expect(person?.claims.name == "Anna")
        #expect(person?.claims.email == "a@b.example")
    }

    @Test("A confidential client without any secret is refused, and nothing is written")
    func missingSecret() async throws {
        let text = Self.document.replacing(#""client_secret":"first secret","#, with: "")
        let result = try await StateReconciler(house.provider).apply(
            state(text), facts: house.facts)
        #expect(throws: StateDocumentError.self) { try result.get() }
        #expect(try await house.provider.store.projects.project(named: "qa") == nil)
    }

    @Test("What was exported changes nothing when it is applied")
    func export() async throws {
        _ = try await apply()
        let document = try await StateExport(house.provider).document()
        #expect(!document.text.contains("secret\":") && !document.text.contains("argon2"))
        #expect(changed(try await apply(document.text)).isEmpty)
    }

    @Test("Making a client public forgets its secret")
    func publicClient() async throws {
        _ = try await apply()
        _ = try await apply(
            #"""
            {"projects":[{"name":"default","clients":[{"client_id":"shop",
            "redirect_uris":["https://shop.example/cb"],"token_endpoint_auth_method":"none"}]}]}
            """#)
        let client = try await house.provider.store.clients.client(
            clientID: "shop", in: house.project.id)
        #expect(client?.secretHash == nil)
    }

    @Test("Every change leaves an audit event, and none for what stays")
    func audit() async throws {
        _ = try await apply()
        _ = try await apply()
        var filter = AuditFilter()
        filter.action = "admin."
        let events = try await house.provider.store.auditLog.auditEvents(
            filter, before: nil, limit: 50)
        #expect(events.count == 4)
        #expect(!events.contains { $0.details.contains("first secret") })
    }
}
