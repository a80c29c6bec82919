// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

/// Several who change roles, sessions, credentials, invitations and consents of one person, at the
/// same moment.
extension ConformanceCase {
    static let personRaces: [ConformanceCase] = [
        ConformanceCase("of roles that one person is assigned at once, one is theirs") { f in
            let roles: [Administrator.Role] = [.support, .auditor, .developer]
            let outcomes = try await race(24) { racer in
                try await f.store.administrators.assign(
                    f.makeAdministrator(roles[racer % 3], in: f.project.id))
            }
            try expectEqual(outcomes, Array(repeating: .assigned, count: 24))
            let kept = try await f.store.administrators.administration(of: f.person.id)
            try expect(kept.count == 1 && kept.allSatisfy { roles.contains($0.role) })
        },
        ConformanceCase("a session that is replaced while it is ended leaves no grant behind") {
            f in
            for round in 0..<6 {
                let old = f.makeSession()
                try await f.store.sessions.create(old, replacing: nil, now: f.now)
                let grant = try await f.redeemedGrant(session: old.id)
                let new = f.makeSession()
                let ended = try await race(2) { racer in
                    if racer == 0 {
                        return try await f.store.sessions.end(
                            session: old.id, of: f.person.id, now: f.now)
                    }
                    try await f.store.sessions.create(
                        new, replacing: old.id,
                        carryingSince: round % 2 == 0 ? nil : f.now - .hours(1), now: f.now)
                    return false
                }.contains(true)
                try expectEqual(await f.store.sessions.session(old.id, now: f.now), nil)
                let living = try await f.store.grants.grants(of: f.person.id, now: f.now).map(\.id)
                try expectEqual(living, ended ? [] : [grant.id])
                try expect(await f.store.sessions.end(session: new.id, of: f.person.id, now: f.now))
                try expect(await f.store.grants.grants(of: f.person.id, now: f.now).isEmpty)
            }
        },
        ConformanceCase("what waits is approved as a whole, or waits as a whole") { f in
            try expectEqual(
                await f.store.administrators.assign(f.makeAdministrator(.support)), .assigned)
            let lesser =
                [f.makeCredential(.password)]
                + (0..<6).map { _ in
                    f.makeCredential(.recoveryCode)
                }
            for credential in lesser { try expect(await f.store.credentials.add(credential)) }
            for _ in 0..<3 {
                _ = try await race(12) { racer in
                    guard racer % 2 == 0 else {
                        _ = try await f.store.credentials.approveCredentials(
                            Set(lesser.map(\.id)), of: f.person.id)
                        return
                    }
                    let key = f.makeCredential()
                    _ = try await f.store.credentials.add(key)
                    let outcome = try await f.store.credentials.remove(
                        credential: key.id, of: f.person.id, othersWait: { _ in true })
                    try expectEqual(outcome, .removed(key))
                }
                let waiting = try await f.store.credentials.credentials(of: f.person.id)
                    .filter(\.awaitsApproval)
                try expect([0, lesser.count].contains(waiting.count))
            }
        },
        ConformanceCase("an invitation that is withdrawn while it is sent has no link without it") {
            f in
            let bea = f.makePerson("bea")
            try expectEqual(await f.store.people.create(bea, with: []), .created)
            var link = f.makeChallenge(.invitation)
            link.expiresAt = f.now + .days(7)
            let sent = link
            for _ in 0..<6 {
                _ = try await race(8) { racer in
                    racer % 2 == 0
                        ? try await f.store.oneTimeLinks.invite(bea.id, by: sent)
                        : try await f.store.oneTimeLinks.withdrawInvitation(
                            of: bea.id, hash: sent.hash, in: f.project.id)
                }
                let isInvited = try await f.store.people.person(bea.id)?.invitedUntil != nil
                let found = try await f.store.challenges.peek(
                    hash: sent.hash, purpose: .invitation, in: f.project.id, now: f.now)
                try expectEqual(found != nil, isInvited)
            }
        },
        ConformanceCase(
            "a consent that is saved during a withdrawal is complete or absent"
        ) {
            f in
            @Sendable func consent(_ scope: String) -> Consent {
                Consent(
                    project: f.project.id, person: f.person.id, client: f.client.id, scope: scope,
                    givenAt: f.now)
            }
            for _ in 0..<6 {
                try await f.store.consents.save(consent("openid"))
                _ = try await race(2) { racer in
                    if racer == 0 { return try await f.store.consents.save(consent("email")) }
                    _ = try await f.store.consents.withdraw(
                        person: f.person.id, client: f.client.id, now: f.now)
                }
                let kept = try await f.store.consents.consent(of: f.person.id, for: f.client.id)
                try expect([nil, "email"].contains(kept?.scope))
            }
        },
    ]
}
