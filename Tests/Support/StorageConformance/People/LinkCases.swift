// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension StoreFixture {
    /// Returns an issued link.
    fileprivate func link(_ purpose: Challenge.Purpose = .setUp) async throws -> Challenge {
        let link = makeChallenge(purpose)
        try await store.challenges.issue(link)
        return link
    }

    fileprivate func isThere(_ link: Challenge) async throws -> Bool {
        try await store.challenges.peek(
            hash: link.hash, purpose: link.purpose, in: link.project, now: now) != nil
    }

    /// Returns a new person with a key.
    fileprivate func newcomer(_ name: String) -> (Person, Credential) {
        let person = makePerson(name)
        var key = makeCredential()
        key.person = person.id
        return (person, key)
    }

    fileprivate func owner(_ person: Person) -> Administrator {
        Administrator(
            id: identifier(), person: person.id, project: nil, role: .owner, createdAt: now)
    }

    fileprivate func come(
        _ person: Person, _ key: Credential, by link: Challenge, at time: Timestamp? = nil,
        using use: OneTimeUse? = nil
    ) async throws -> LinkRedemptionOutcome {
        try await store.oneTimeLinks.create(
            person, with: [key], as: owner(person), spending: link, using: use, now: time ?? now,
            recording: [makeEvent("came")])
    }
}

extension ConformanceCase {
    static let links: [ConformanceCase] = [
        ConformanceCase("a link creates one person, with key, role and event, and is consumed") {
            f in
            let link = try await f.link()
            let (root, key) = f.newcomer("root")
            try expectEqual(await f.come(root, key, by: link), .spent)
            try expectEqual(await f.store.people.person(root.id), root)
            try expectEqual(await f.store.credentials.credentials(of: root.id), [key])
            try expectEqual(
                await f.store.administrators.administration(of: root.id).map(\.role), [.owner])
            try expect(await !f.isThere(link))
            let (other, second) = f.newcomer("other")
            try expectEqual(await f.come(other, second, by: link), .linkGone)
            try expectEqual(await f.store.people.person(other.id), nil)
        },
        ConformanceCase("what is refused leaves the link, and nothing else") { f in
            let link = try await f.link()
            let (root, key) = f.newcomer("root")
            _ = try await f.store.people.create(root, with: [key])
            var taken = f.newcomer("root")
            try expectEqual(await f.come(taken.0, taken.1, by: link), .usernameTaken)
            taken = f.newcomer("second")
            taken.1.externalID = key.externalID
            try expectEqual(await f.come(taken.0, taken.1, by: link), .credentialTaken)
            try expectEqual(await f.store.people.person(taken.0.id), nil)
            try expectEqual(await f.store.administrators.administration(of: taken.0.id), [])
            try expect(await f.isThere(link))
            let (third, own) = f.newcomer("third")
            try expectEqual(await f.come(third, own, by: link), .spent)
        },
        ConformanceCase("the person of a link also consumes the one-time identifier") { f in
            let mark = OneTimeIdentifier(.registrationTicket, key: f.bytes(16))
            let use = OneTimeUse(mark, until: f.now + .hours(1))
            let first = try await f.link()
            let (root, key) = f.newcomer("root")
            try expectEqual(await f.come(root, key, by: first, using: use), .spent)
            let link = try await f.link()
            let (other, second) = f.newcomer("other")
            try expectEqual(await f.come(other, second, by: link, using: use), .usernameTaken)
            try expectEqual(await f.store.people.person(other.id), nil)
            try expect(await f.isThere(link))
        },
        ConformanceCase("the links with one purpose and payload are consumed together") { f in
            let (first, second) = (try await f.link(), try await f.link())
            var later = f.makeChallenge(.setUp)
            later.payload = #"{"id":"later"}"#
            try await f.store.challenges.issue(later)
            let other = try await f.link(.reRegistration)
            let (root, key) = f.newcomer("root")
            try expectEqual(await f.come(root, key, by: second), .spent)
            try expect(await !f.isThere(first))
            try expect(await f.isThere(later))
            try expect(await f.isThere(other))
            let (late, own) = f.newcomer("late")
            try expectEqual(await f.come(late, own, by: first), .linkGone)
            try expectEqual(await f.come(late, own, by: later), .spent)
        },
        ConformanceCase("of many who come by links with one payload one gets in") { f in
            var links: [Challenge] = []
            for _ in 0..<8 { links.append(try await f.link()) }
            let came = try await withThrowingTaskGroup(of: LinkRedemptionOutcome.self) { group in
                for (number, link) in links.enumerated() {
                    let (person, key) = f.newcomer("guest\(number)")
                    group.addTask { try await f.come(person, key, by: link) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            try expectEqual(came.count { $0 == .spent }, 1)
            try expectEqual(came.count { $0 == .linkGone }, 7)
        },
        ConformanceCase("an expired or replaced link creates no person") { f in
            let link = try await f.link()
            let (root, key) = f.newcomer("root")
            try expectEqual(await f.come(root, key, by: link, at: link.expiresAt), .linkGone)
            var replaced = link
            replaced.payload = #"{"secret":"another"}"#
            try await f.store.challenges.issue(replaced)
            try expectEqual(await f.come(root, key, by: link), .linkGone)
            var foreign = replaced
            foreign.purpose = .reRegistration
            try expectEqual(await f.come(root, key, by: foreign), .linkGone)
            try expectEqual(await f.come(root, key, by: replaced), .spent)
        },
        ConformanceCase("a link adds one key, and is not lost to one that is taken") { f in
            let link = try await f.link(.reRegistration)
            let known = f.makeCredential()
            try expect(await f.store.credentials.add(known))
            var twin = f.makeCredential()
            twin.externalID = known.externalID
            try expectEqual(
                await f.store.oneTimeLinks.add(twin, spending: link, now: f.now), .credentialTaken)
            try expect(await f.isThere(link))
            let key = f.makeCredential()
            try expectEqual(await f.store.oneTimeLinks.add(key, spending: link, now: f.now), .spent)
            let late = f.makeCredential()
            try expectEqual(
                await f.store.oneTimeLinks.add(late, spending: link, now: f.now), .linkGone)
            let kept = try await f.store.credentials.credentials(of: f.person.id).map(\.id)
            try expect(kept.contains(key.id) && !kept.contains(late.id))
        },
        ConformanceCase("of many who come by one link one gets in") { f in
            let link = try await f.link()
            let came = try await withThrowingTaskGroup(of: LinkRedemptionOutcome.self) { group in
                for number in 0..<8 {
                    let (person, key) = f.newcomer("guest\(number)")
                    group.addTask { try await f.come(person, key, by: link) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            try expectEqual(came.count { $0 == .spent }, 1)
            try expectEqual(came.count { $0 == .linkGone }, 7)
        },
    ]
}
