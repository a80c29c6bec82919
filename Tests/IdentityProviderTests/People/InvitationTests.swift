// SPDX-License-Identifier: Apache-2.0
import JOSE
import Mail
import Primitives
import ProviderCore
import ProviderPeople
import Storage
import Support
import Synchronization
import Testing

@Suite struct InvitationTests {
    private static let password = PeopleHouse.password

    /// Inserts a person without credentials.
    private func made(
        _ house: PeopleHouse, _ name: String = "bea", email: String? = nil
    ) async throws -> Person {
        var claims = PersonClaims()
        claims.email = email
        let person = Person(
            id: Identifier(now: house.clock.now, random: house.random), project: house.project.id,
            username: name, claims: claims, createdAt: house.clock.now)
        try #require(try await house.provider.store.people.create(person, with: []) == .created)
        return person
    }

    private func token(of sent: Invitation.Sent?) throws -> String {
        try token(in: try #require(sent?.url))
    }

    private func token(in text: String) throws -> String {
        let range = try #require(text.firstRange(of: "/invitation?token="))
        return String(text[range.upperBound...].prefix { !$0.isWhitespace })
    }

    private func accept(
        _ token: String, in context: CeremonyContext, password: String = password
    ) async throws -> Result<RegistrationBinding, Refusal> {
        try await CeremonyRunner(context).run(
            PasswordRegistration(invitation: token, password: Secret(password)))
    }

    @Test("an invitation is mailed, is not displayed, and proves the mailbox")
    func mailed() async throws {
        let house = try await PeopleHouse()
        let bea = try await made(house, email: "bea@example.com")
        let sent = try #require(
            try await Invitation(house.context).send(to: bea, lifetime: .days(3), byMail: true))
        #expect(sent.url == nil && sent.address == "bea@example.com")
        #expect(sent.expiresAt == house.clock.now + .days(3))
        let mail = try await house.mailbox.next()
        #expect(mail.to.address == "bea@example.com")
        let token = try token(in: mail.text)
        #expect(try await Invitation(house.context).person(behind: token)?.id == bea.id)
        #expect(try await accept(token, in: house.context).get().person.id == bea.id)
        let arrived = try #require(try await house.provider.store.people.person(bea.id))
        #expect(arrived.claims.emailVerified == true && arrived.invitedUntil == nil)
        #expect(try await house.signIn("bea").code == nil)
        #expect(try await house.signIn("Bea@Example.com").code == nil)
    }

    @Test("a link that is passed on confirms no address; a passkey is chosen as well")
    func handedOver() async throws {
        let house = try await PeopleHouse(hasMail: false)
        let bea = try await made(house, email: "bea@example.com")
        let token = try token(
            of: try await Invitation(house.context).send(
                to: bea, lifetime: Invitation.defaultLifetime, byMail: true))
        let options = try await Invitation(house.context).options(token: token, kind: .passkey)
            .get()
        let steps = PasskeyRegistration(
            ceremony: options.ceremony,
            response: try house.json(house.passkey().registration(challenge: options.ceremony)),
            signedIn: nil, isAgain: true, isInvited: true)
        #expect(try await CeremonyRunner(house.context).run(steps).get().person.id == bea.id)
        #expect(try await house.provider.store.people.person(bea.id)?.claims.emailVerified != true)
        #expect(try await house.events("registration.invited").count == 1)
    }

    @Test("a link that could not be mailed is another one, which is answered")
    func brokenMail() async throws {
        let house = try await PeopleHouse()
        house.mailbox.isBroken.withLock { $0 = true }
        let bea = try await made(house, email: "bea@example.com")
        let sent = try await Invitation(house.context).send(
            to: bea, lifetime: .days(1), byMail: true)
        #expect(sent?.address == nil && sent?.notMailed == .mailFailed)
        _ = try await accept(try token(of: sent), in: house.context).get()
        #expect(try await house.provider.store.people.person(bea.id)?.claims.emailVerified != true)
    }

    @Test("an invitation that is not mailed says why")
    func notMailed() async throws {
        let house = try await PeopleHouse()
        let bea = try await made(house)
        let carl = try await made(house, "carl", email: "carl@example.com")
        func reason(
            _ person: Person, byMail: Bool = true, in context: CeremonyContext
        ) async throws -> Invitation.NotMailed? {
            try await Invitation(context).send(
                to: person, lifetime: .days(1), byMail: byMail)?.notMailed
        }
        #expect(try await reason(bea, in: house.context) == .noAddress)
        #expect(try await reason(bea, byMail: false, in: house.context) == nil)
        #expect(try await reason(carl, in: house.context) == nil)
        let silent = try await PeopleHouse(hasMail: false)
        let dora = try await made(silent, "dora", email: "dora@example.com")
        #expect(try await reason(dora, in: silent.context) == .noMailServer)
    }

    @Test("the audit event of an invitation says whether the link was mailed, and why not")
    func auditedDelivery() async throws {
        let house = try await PeopleHouse()
        let bea = try await made(house, email: "bea@example.com")
        func details(byMail: Bool = true, in house: PeopleHouse) async throws -> JSONValue {
            _ = try await Invitation(house.context).send(
                to: bea, lifetime: .days(1), byMail: byMail)
            let event = try #require(
                try await house.events("admin.person.invitation.sent").first)
            house.clock.advance(by: .seconds(1))
            return try house.json(event.details)
        }
        let mailed = try await details(in: house)
        #expect(mailed["mailed"] == true && mailed["mailed_to"] == "bea@example.com")
        #expect(mailed["not_mailed"] == nil)
        let displayed = try await details(byMail: false, in: house)
        #expect(displayed["mailed"] == false && displayed["mailed_to"] == nil)
        #expect(displayed["not_mailed"] == nil)
        house.mailbox.isBroken.withLock { $0 = true }
        let failed = try await details(in: house)
        #expect(failed["mailed"] == false && failed["not_mailed"] == "mail_failed")
        #expect(failed["mailed_to"] == nil && failed["expires_at"]?.string != nil)
        let silent = try await PeopleHouse(hasMail: false)
        let carl = try await made(silent, "carl")
        _ = try await Invitation(silent.context).send(to: carl, lifetime: .days(1), byMail: true)
        let event = try #require(try await silent.events("admin.person.invitation.sent").first)
        #expect(try silent.json(event.details)["not_mailed"] == "no_mail_server")
    }

    @Test("Attack 80: an invitation that was used, replaced, withdrawn or expired gives nothing")
    func over() async throws {
        let house = try await PeopleHouse()
        let bea = try await made(house)
        func invite() async throws -> String {
            try token(
                of: try await Invitation(house.context).send(
                    to: bea, lifetime: .days(1), byMail: false))
        }
        func refused(_ token: String) async throws {
            let found = try await Invitation(house.context).person(behind: token)
            #expect(found == nil)
            #expect(try await accept(token, in: house.context).code == .invitationInvalid)
            let options = try await Invitation(house.context).options(token: token, kind: .passkey)
            #expect(options.code == .invitationInvalid)
        }
        let first = try await invite()
        let second = try await invite()
        try await refused(first)
        #expect(try await Invitation(house.context).withdraw(from: bea))
        #expect(try await !Invitation(house.context).withdraw(from: bea))
        try await refused(second)
        let third = try await invite()
        house.clock.advance(by: .days(1))
        try await refused(third)
        let last = try await invite()
        let short = try await accept(last, in: house.context, password: "short")
        #expect(throws: Refusal.self) { try short.get() }
        _ = try await accept(last, in: house.context).get()
        try await refused(last)
        let again = try await Invitation(house.context).send(
            to: bea, lifetime: .days(1), byMail: false)
        #expect(again == nil)
    }

    @Test("Attack 80: a guessed, altered or foreign invitation gives nothing")
    func guessed() async throws {
        let house = try await PeopleHouse()
        let (bea, carl) = (try await made(house), try await made(house, "carl"))
        func invite(_ person: Person) async throws -> String {
            try token(
                of: try await Invitation(house.context).send(
                    to: person, lifetime: .days(1), byMail: false))
        }
        let (one, other) = (try await invite(bea), try await invite(carl))
        let parts = one.split(separator: "."), others = other.split(separator: ".")
        for token in [
            "", "i-", "i-.", "\(parts[0]).", "\(parts[0]).\(others[1])", "\(others[0]).\(parts[1])",
            one + "x", String(one.dropLast()), String(one.dropFirst(2)),
            "\(parts[0]).\(String(repeating: "a", count: 43))",
        ] {
            #expect(try await accept(token, in: house.context).code == .invitationInvalid)
        }
        let neighbour = house.context(of: try await house.neighbour())
        #expect(try await accept(one, in: neighbour).code == .invitationInvalid)
        _ = try await accept(one, in: house.context).get()
    }

    @Test("Attack 80: an invitation gives no access to an account that has a credential")
    func grown() async throws {
        let house = try await PeopleHouse()
        let bea = try await made(house)
        let token = try token(
            of: try await Invitation(house.context).send(
                to: bea, lifetime: .days(1), byMail: false))
        let key = Credential(
            id: Identifier(now: house.clock.now, random: house.random), project: bea.project,
            person: bea.id, kind: .publicKey, externalID: [1, 2, 3], createdAt: house.clock.now)
        #expect(try await house.provider.store.credentials.add(key))
        #expect(try await accept(token, in: house.context).code == .invitationInvalid)
        var carl = try await made(house, "carl")
        let second = try self.token(
            of: try await Invitation(house.context).send(
                to: carl, lifetime: .days(1), byMail: false))
        let role = Administrator(
            id: Identifier(now: house.clock.now, random: house.random), person: carl.id,
            project: nil, role: .owner, createdAt: house.clock.now)
        #expect(try await house.provider.store.administrators.assign(role) == .assigned)
        #expect(try await accept(second, in: house.context).code == .invitationInvalid)
        carl = try await made(house, "dora")
        let third = try self.token(
            of: try await Invitation(house.context).send(
                to: carl, lifetime: .days(1), byMail: false))
        carl.disabled = true
        _ = try await house.provider.store.people.update(carl, now: house.clock.now)
        #expect(try await accept(third, in: house.context).code == .invitationInvalid)
    }
}
