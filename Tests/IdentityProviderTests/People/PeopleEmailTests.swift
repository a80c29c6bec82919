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

@Suite struct PeopleEmailTests {
    private func recoverable() async throws -> (PeopleHouse, Person) {
        let house = try await PeopleHouse()
        let person = try await house.register().get().person
        try await house.confirm("anna@example.com", of: person)
        return (house, person)
    }

    @Test("the code that was sent makes the address the person's own")
    func verification() async throws {
        let house = try await PeopleHouse()
        let anna = try await house.member()
        let verification = EmailVerification(house.context, signedIn: anna)
        let handle = try await verification.begin(address: "Anna@Example.com").get()
        let code = try await house.mailbox.nextCode()
        #expect(code.count == 8)
        #expect(
            try await verification.finish(handle: handle, code: code).get() == "anna@example.com")
        let person = try #require(try await house.provider.store.people.person(anna.person.id))
        #expect(person.claims.email == "anna@example.com" && person.claims.emailVerified == true)
        #expect(try await verification.finish(handle: handle, code: code).code == .codeExpired)
    }

    @Test("Attack 26: a wrong code, a foreign handle and a late code are refused")
    func badCodes() async throws {
        let house = try await PeopleHouse()
        let anna = try await house.member("anna")
        let berta = try await house.member("berta")
        let verification = EmailVerification(house.context, signedIn: anna)
        let handle = try await verification.begin(address: "a@example.com").get()
        let code = try await house.mailbox.nextCode()
        #expect(try await verification.finish(handle: handle, code: "00000000").code == .codeWrong)
        #expect(try await verification.finish(handle: "x", code: code).code == .codeExpired)
        let other = EmailVerification(house.context, signedIn: berta)
        #expect(try await other.finish(handle: handle, code: code).code == .codeWrong)
        let second = try await verification.begin(address: "a@example.com").get()
        let late = try await house.mailbox.nextCode()
        house.clock.advance(by: .minutes(11))
        let old = EmailVerification(house.context, signedIn: anna)
        #expect(try await old.finish(handle: second, code: late).code == .codeExpired)
    }

    @Test("Attack 36: after five guesses not even the right code fits")
    func guesses() async throws {
        let house = try await PeopleHouse()
        let anna = try await house.member()
        let verification = EmailVerification(house.context, signedIn: anna)
        let handle = try await verification.begin(address: "a@example.com").get()
        let code = try await house.mailbox.nextCode()
        for number in 0..<5 {
            let guess = "0000000\(number)"
            #expect(try await verification.finish(handle: handle, code: guess).code == .codeWrong)
        }
        #expect(try await verification.finish(handle: handle, code: code).code == .tooManyAttempts)
        house.clock.advance(by: .minutes(16))
        let later = EmailVerification(house.context, signedIn: anna)
        #expect(try await later.finish(handle: handle, code: code).code == .codeExpired)
    }

    @Test("Attack 67: guesses at invented codes leave no attempt, and one event a minute")
    func inventedHandles() async throws {
        let house = try await PeopleHouse()
        let before = try await house.provider.store.maintenance.status().rows["attempts"]
        for number in 0..<50 {
            let guess = try await AccountRecovery(house.context).finish(
                handle: "handle-\(number)", code: "12345678", replacing: nil)
            #expect(guess.code == .codeExpired)
        }
        #expect(try await house.provider.store.maintenance.status().rows["attempts"] == before)
        await house.provider.audit.flush()
        #expect(try await house.events("sign-in.email-code").map(\.count) == [50])
    }

    @Test("Attack 26: a code to confirm an address does not recover an account, nor vice versa")
    func purposes() async throws {
        let (house, _) = try await recoverable()
        let anna = try await house.signIn().get().signedIn
        let verification = EmailVerification(house.context, signedIn: anna)
        let handle = try await verification.begin(address: "anna@example.com").get()
        let code = try await house.mailbox.nextCode()
        let recovery = AccountRecovery(house.context)
        #expect(
            try await recovery.finish(handle: handle, code: code, replacing: nil).code
                == .codeExpired)
        let other = try await recovery.begin(for: "anna").get()
        let secret = try await house.mailbox.nextCode()
        #expect(try await verification.finish(handle: other, code: secret).code == .codeExpired)
    }

    @Test("Attack 26: a code is used once, also when all come at one moment", arguments: 0..<3)
    func once(_ round: Int) async throws {
        let (house, person) = try await recoverable()
        let handle = try await AccountRecovery(house.context).begin(for: "anna").get()
        let code = try await house.mailbox.nextCode()
        let wins = try await withThrowingTaskGroup(of: Bool.self) { group in
            // As many as may guess at one code.
            for _ in 0..<house.limits.perCode {
                group.addTask {
                    try await AccountRecovery(house.context)
                        .finish(handle: handle, code: code, replacing: nil).code == nil
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(wins == 1)
        let sessions = try await house.provider.store.sessions.sessions(
            of: person.id, now: house.clock.now)
        #expect(sessions.count == 1)
    }

    @Test("Attack 26: neither a used code nor one that confirms an address enrols a passkey")
    func enrolment() async throws {
        let (house, person) = try await recoverable()
        let recovery = AccountRecovery(house.context)
        let handle = try await recovery.begin(for: "anna").get()
        let code = try await house.mailbox.nextCode()
        let owner = try await recovery.finish(handle: handle, code: code, replacing: nil).get()
        // A person who reads the mail later: the code creates no session, so it allows no
        // registration.
        #expect(
            try await recovery.finish(handle: handle, code: code, replacing: nil).code
                == .codeExpired)
        let verification = EmailVerification(house.context, signedIn: owner.signedIn)
        let other = try await verification.begin(address: "anna@example.com").get()
        var mail = try await house.mailbox.next()
        // The owner receives a notification of the recovery.
        while mail.subject != "code" { mail = try await house.mailbox.next() }
        let second = mail.text
        #expect(
            try await recovery.finish(handle: other, code: second, replacing: nil).code
                == .codeExpired)
        // Neither code is a link for keys.
        for token in [code, second, handle, other, "\(handle).\(code)"] {
            let options = try await ReRegistration(house.context)
                .options(token: token, kind: .passkey)
            #expect(options.code == .reRegistrationInvalid)
        }
        let kinds = try await house.provider.store.credentials.credentials(of: person.id).map(
            \.kind)
        #expect(kinds == [.password])
    }

    @Test("a bad address, a broken mail server and none at all are told apart")
    func cannotSend() async throws {
        let house = try await PeopleHouse()
        let anna = try await house.member()
        let verification = EmailVerification(house.context, signedIn: anna)
        #expect(try await verification.begin(address: "nonsense").code == .emailInvalid)
        house.mailbox.isBroken.withLock { $0 = true }
        #expect(try await verification.begin(address: "a@example.com").code == .mailUnavailable)
        let without = try await PeopleHouse(hasMail: false)
        let berta = try await without.member()
        let none = EmailVerification(without.context, signedIn: berta)
        #expect(try await none.begin(address: "a@example.com").code == .mailUnavailable)
        #expect(
            try await AccountRecovery(without.context).begin(for: "anna").code == .mailUnavailable)
    }

    @Test("the number of mails to one mailbox is limited")
    func flood() async throws {
        let (house, _) = try await recoverable()
        for _ in 0..<5 { _ = try await AccountRecovery(house.context).begin(for: "anna").get() }
        #expect(
            try await AccountRecovery(house.context).begin(for: "Anna").code == .tooManyAttempts)
    }

    @Test("one mailbox has one limit of mails, by username, address and confirmation together")
    func oneMailbox() async throws {
        let (house, _) = try await recoverable()
        let recovery = AccountRecovery(house.context)
        let berta = try await house.member("berta")
        for name in ["anna", "Anna@Example.com", "anna", "ANNA@example.com"] {
            _ = try await recovery.begin(for: name).get()
            #expect(try await house.mailbox.nextCode().count == 8)
        }
        let verification = EmailVerification(house.context, signedIn: berta)
        _ = try await verification.begin(address: "anna@example.com").get()
        #expect(try await house.mailbox.nextCode().count == 8)
        // The limit is reached. The responses are as before, and no mail is sent.
        _ = try await recovery.begin(for: "anna").get()
        _ = try await recovery.begin(for: "anna@example.com").get()
        _ = try await verification.begin(address: "Anna@example.com").get()
        _ = try await verification.begin(address: "berta@example.com").get()
        #expect(try await house.mailbox.next().to.address == "berta@example.com")
        house.clock.advance(by: .minutes(16))
        _ = try await AccountRecovery(house.context).begin(for: "anna").get()
        #expect(try await house.mailbox.next().to.address == "anna@example.com")
    }

    @Test("Attack 39: mails to one mailbox reach the limit without a sign of it")
    func silentLimit() async throws {
        let (house, _) = try await recoverable()
        let recovery = AccountRecovery(house.context)
        for round in 0..<5 {
            for name in ["anna", "anna@example.com", "nobody", "nobody@example.com"] {
                let handle = try await recovery.begin(for: name).get()
                #expect(handle.count == 43, "\(round)")
            }
        }
        for name in ["anna", "anna@example.com", "nobody", "nobody@example.com"] {
            #expect(try await recovery.begin(for: name).code == .tooManyAttempts)
        }
    }

    @Test("a code recovers the account, ends other sessions, and says so by mail")
    func recovery() async throws {
        let (house, person) = try await recoverable()
        let elsewhere = try await house.signIn().get()
        let recovery = AccountRecovery(house.context)
        let handle = try await recovery.begin(for: "ANNA@example.com").get()
        let code = try await house.mailbox.nextCode()
        let signIn = try await recovery.finish(handle: handle, code: code, replacing: nil).get()
        #expect(signIn.signedIn.person.id == person.id)
        let sessions = try await house.provider.store.sessions.sessions(
            of: person.id, now: house.clock.now)
        #expect(sessions.map(\.id) == [signIn.signedIn.session.id])
        #expect(sessions.first?.id != elsewhere.signedIn.session.id)
        #expect(try await house.mailbox.next().subject == "accountRecovered")
        #expect(
            try await recovery.finish(handle: handle, code: code, replacing: nil).code
                == .codeExpired)
        // The session is recent: a new credential can be registered at once.
        #expect(signIn.signedIn.isFresh(at: house.clock.now))
    }

    @Test("Attack 39: unknown and disabled people and unconfirmed addresses get the same answer")
    func enumeration() async throws {
        let house = try await PeopleHouse()
        _ = try await house.register("berta", email: "berta@example.com").get()
        let recovery = AccountRecovery(house.context)
        for name in ["nobody", "berta", "berta@example.com", "", "no\u{0}body"] {
            let handle = try await recovery.begin(for: name).get()
            #expect(handle.count == 43)
            #expect(
                try await recovery.finish(handle: handle, code: "00000000", replacing: nil).code
                    == .codeWrong)
        }
    }

    @Test("a code does not outlive a change of the address")
    func changedAddress() async throws {
        let (house, person) = try await recoverable()
        let recovery = AccountRecovery(house.context)
        let handle = try await recovery.begin(for: "anna").get()
        let code = try await house.mailbox.nextCode()
        try await house.confirm("new@example.com", of: person)
        #expect(
            try await recovery.finish(handle: handle, code: code, replacing: nil).code
                == .codeExpired)
    }

    @Test("another project does not know the code")
    func neighbour() async throws {
        let (house, _) = try await recoverable()
        let handle = try await AccountRecovery(house.context).begin(for: "anna").get()
        let code = try await house.mailbox.nextCode()
        let other = house.context(of: try await house.neighbour())
        #expect(
            try await AccountRecovery(other).finish(handle: handle, code: code, replacing: nil)
                .code == .codeExpired)
    }
}
