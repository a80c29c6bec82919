// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension ConformanceCase {
    static let invitations: [ConformanceCase] = [
        ConformanceCase("an invitation gives one credential, and confirms the address") { f in
            let (bea, link) = try await f.invited(email: "bea@example.com")
            try expectEqual(await f.store.people.person(bea.id)?.invitedUntil, link.expiresAt)
            let password = f.password(of: bea)
            let outcome = try await f.store.oneTimeLinks.accept(
                link, with: password, confirming: "bea@example.com", now: f.now)
            try expectEqual(outcome, .spent)
            let arrived = try await f.store.people.person(
                verifiedEmail: "bea@example.com", in: f.project.id)
            try expectEqual(arrived?.id, bea.id)
            try expectEqual(arrived?.invitedUntil, nil)
            try expectEqual(await f.store.credentials.credentials(of: bea.id), [password])
            try expectEqual(await f.accept(link, of: bea), .linkGone)
        },
        ConformanceCase("an invitation confirms no other address, nor one that another has") { f in
            let (bea, link) = try await f.invited(email: "bea@example.com")
            let other = f.makePerson("ben", email: "bea@example.com")
            _ = try await f.store.people.create(other, with: [])
            let outcome = try await f.store.oneTimeLinks.accept(
                link, with: f.password(of: bea), confirming: "bea@example.com", now: f.now)
            try expectEqual(outcome, .spent)
            try expect(await f.store.people.person(bea.id)?.claims.emailVerified != true)
            let (carl, second) = try await f.invited("carl", email: "carl@example.com")
            _ = try await f.store.oneTimeLinks.accept(
                second, with: f.password(of: carl), confirming: "x@example.com", now: f.now)
            try expect(await f.store.people.person(carl.id)?.claims.emailVerified != true)
        },
        ConformanceCase("an invitation that was replaced, withdrawn or expired gives nothing") {
            f in
            let (bea, link) = try await f.invited()
            let later = f.invitation(of: bea, hash: link.hash, "other")
            try expect(await f.store.oneTimeLinks.invite(bea.id, by: later))
            try expectEqual(await f.accept(link, of: bea), .linkGone)
            let late = try await f.store.oneTimeLinks.accept(
                later, with: f.password(of: bea), confirming: nil, now: later.expiresAt)
            try expectEqual(late, .linkGone)
            try expect(
                await f.store.oneTimeLinks.withdrawInvitation(
                    of: bea.id, hash: link.hash, in: f.project.id))
            try expect(
                await !f.store.oneTimeLinks.withdrawInvitation(
                    of: bea.id, hash: link.hash, in: f.project.id))
            try expectEqual(await f.accept(later, of: bea), .linkGone)
            try expectEqual(await f.store.people.person(bea.id)?.invitedUntil, nil)
        },
        ConformanceCase(
            "a disabled person or one with a credential is not invited, and cannot accept"
        ) {
            f in
            let (bea, link) = try await f.invited()
            try expect(await f.store.credentials.add(f.password(of: bea)))
            try expectEqual(await f.accept(link, of: bea), .linkGone)
            try expect(await !f.store.oneTimeLinks.invite(bea.id, by: link))
            var (carl, second) = try await f.invited("carl")
            carl.disabled = true
            try expect(await f.store.people.update(carl, now: f.now))
            try expectEqual(await f.accept(second, of: carl), .linkGone)
            try expect(await !f.store.oneTimeLinks.invite(carl.id, by: second))
            second.hash = f.bytes()
            try expect(await !f.store.oneTimeLinks.invite(f.identifier(), by: second))
        },
        ConformanceCase("a person with an app is not invited, even without a key") { f in
            var new = f.makeRegistration("dora")
            new.credentials = []
            new.installation.credential = nil
            let event = f.makeEvent("registration")
            try expectEqual(
                await f.store.installations.register(new, recording: event), .registered)
            let link = f.invitation(of: new.person)
            try expect(await !f.store.oneTimeLinks.invite(new.person.id, by: link))
        },
        ConformanceCase("a person who gets a password or a key otherwise is no longer invited") {
            f in
            let (bea, _) = try await f.invited()
            let isSet = try await f.store.credentials.setPassword(
                f.password(of: bea), replacing: .nothing, keeping: nil, now: f.now)
            try expect(isSet)
            try expectEqual(await f.store.people.person(bea.id)?.invitedUntil, nil)
        },
        ConformanceCase("of many who come by one invitation one does") { f in
            let (bea, link) = try await f.invited()
            let outcomes = try await race(20) { _ in
                var key = f.makeCredential()
                key.person = bea.id
                return try await f.store.oneTimeLinks.accept(
                    link, with: key, confirming: nil, now: f.now)
            }
            try expectEqual(outcomes.count { $0 == .spent }, 1)
            try expectEqual(outcomes.count { $0 == .linkGone }, 19)
        },
    ]
}

extension StoreFixture {
    fileprivate func invitation(
        of person: Person, hash: [UInt8]? = nil, _ payload: String = "{}"
    ) -> Challenge {
        Challenge(
            hash: hash ?? bytes(), purpose: .invitation, project: project.id, payload: payload,
            expiresAt: now + .days(7))
    }

    fileprivate func invited(
        _ name: String = "bea", email: String? = nil
    ) async throws -> (Person, Challenge) {
        var person = makePerson(name, email: email)
        person.claims.emailVerified = email == nil ? nil : false
        try expectEqual(await store.people.create(person, with: []), .created)
        let link = invitation(of: person)
        try expect(await store.oneTimeLinks.invite(person.id, by: link))
        return (person, link)
    }

    fileprivate func password(of person: Person) -> Credential {
        var password = makeCredential(.password)
        (password.person, password.externalID) = (person.id, person.id.bytes)
        return password
    }

    fileprivate func accept(
        _ link: Challenge, of person: Person
    ) async throws -> LinkRedemptionOutcome {
        try await store.oneTimeLinks.accept(
            link, with: password(of: person), confirming: nil, now: now)
    }
}
