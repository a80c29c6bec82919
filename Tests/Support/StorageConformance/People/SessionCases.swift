// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension ConformanceCase {
    static let sessions: [ConformanceCase] = [
        ConformanceCase("an active session is found by its secret, with its person") { f in
            let session = f.makeSession()
            try await f.store.sessions.create(session, replacing: nil, now: f.now)
            let found = try await f.store.sessions.session(
                secretHash: session.secretHash, now: f.now)
            try expectEqual(found?.0, session)
            try expectEqual(found?.1, f.person)
            try expect(await f.store.sessions.session(secretHash: f.bytes(), now: f.now) == nil)
        },
        ConformanceCase("an expired session is not found") { f in
            let session = f.makeSession()
            try await f.store.sessions.create(session, replacing: nil, now: f.now)
            let end = session.expiresAt
            try expect(
                await f.store.sessions.session(secretHash: session.secretHash, now: end) == nil)
            try expectEqual(await f.store.sessions.session(session.id, now: end), nil)
            try expectEqual(await f.store.sessions.sessions(of: f.person.id, now: end), [])
        },
        ConformanceCase("a new session ends the one it replaces and takes its grants") { f in
            let old = f.makeSession()
            let new = f.makeSession()
            try await f.store.sessions.create(old, replacing: nil, now: f.now)
            let grant = try await f.redeemedGrant(session: old.id)
            try await f.store.sessions.create(new, replacing: old.id, now: f.now)
            try expectEqual(await f.store.sessions.session(old.id, now: f.now), nil)
            try expectEqual(await f.store.grants.grant(grant.id)?.session, new.id)
            try expect(await f.store.sessions.end(session: new.id, of: f.person.id, now: f.now))
            try expectEqual(await f.rotate(grant.id, 1), .unknown)
        },
        ConformanceCase("everything of a person ends at once: sessions, and what apps were given") {
            f in
            for _ in 0..<2 {
                try await f.store.sessions.create(f.makeSession(), replacing: nil, now: f.now)
            }
            let grant = try await f.redeemedGrant()
            try await f.store.sessions.endEverything(of: f.identifier(), now: f.now)
            try expectEqual(await f.store.sessions.sessions(of: f.person.id, now: f.now).count, 2)
            try await f.store.sessions.endEverything(of: f.person.id, now: f.now)
            try expectEqual(await f.store.sessions.sessions(of: f.person.id, now: f.now), [])
            try expectEqual(await f.rotate(grant.id, 1), .unknown)
        },
        ConformanceCase("a session that an installation handed off ends with it") { f in
            let new = f.makeRegistration()
            _ = try await f.store.installations.register(new, recording: f.makeEvent("registered"))
            var handedOver = f.makeSession()
            handedOver.restsOn = new.installation.id.bytes
            var own = f.makeSession()
            (handedOver.person, own.person) = (new.person.id, new.person.id)
            for session in [handedOver, own] {
                try await f.store.sessions.create(session, replacing: nil, now: f.now)
            }
            try expect(
                await f.store.installations.remove(
                    installation: new.installation.id, of: new.person.id, now: f.now,
                    recording: f.makeEvent("removed")))
            try expectEqual(
                await f.store.sessions.sessions(of: new.person.id, now: f.now).map(\.id), [own.id])
        },
        ConformanceCase("a session of someone else that is replaced loses its grants") { f in
            let old = f.makeSession()
            try await f.store.sessions.create(old, replacing: nil, now: f.now)
            let grant = try await f.redeemedGrant(session: old.id)
            let bea = f.makePerson("bea")
            _ = try await f.store.people.create(bea, with: [])
            var new = f.makeSession()
            new.person = bea.id
            try await f.store.sessions.create(new, replacing: old.id, now: f.now)
            try expectEqual(await f.rotate(grant.id, 1), .unknown)
        },
        ConformanceCase("a session keeps each factor with its own time") { f in
            let key = f.makeCredential()
            _ = try await f.store.credentials.add(key)
            let session = f.makeSession(factors: [
                f.factor("pwd"), f.factor("hwk", "user", "mfa", at: f.now + .minutes(1), with: key),
            ])
            try await f.store.sessions.create(session, replacing: nil, now: f.now)
            try expectEqual(await f.store.sessions.session(session.id, now: f.now), session)
            try expectEqual(
                await f.store.sessions.session(secretHash: session.secretHash, now: f.now)?.0,
                session)
        },
        ConformanceCase("factors go along to the next session of the same person only") { f in
            let (early, late) = (f.factor("pwd", at: f.now - .hours(13)), f.factor("otp"))
            let credential = f.makeCredential()
            _ = try await f.store.credentials.add(credential)
            let key = f.factor("hwk", at: f.now + .minutes(1), with: credential)
            let old = f.makeSession(factors: [early, late])
            try await f.store.sessions.create(old, replacing: nil, now: f.now)
            let bea = f.makePerson("bea")
            _ = try await f.store.people.create(bea, with: [])
            let new = f.makeSession(factors: [key])
            let horizon = f.now - .hours(12)
            let made = try await f.store.sessions.create(
                new, replacing: old.id, carryingSince: horizon, now: f.now)
            try expectEqual(made.factors, [late, key])
            try expectEqual(made.authenticationMethods, "otp hwk")
            try expectEqual(await f.store.sessions.session(new.id, now: f.now), made)
            var hers = f.makeSession(factors: [f.factor("pwd")])
            hers.person = bea.id
            let other = try await f.store.sessions.create(
                hers, replacing: new.id, carryingSince: horizon, now: f.now)
            try expectEqual(other.factors, hers.factors)
        },
        ConformanceCase("a factor whose credential was removed or replaced is not copied") {
            f in
            let (password, key) = (f.makeCredential(.password), f.makeCredential())
            for credential in [password, key] {
                try expect(await f.store.credentials.add(credential))
            }
            let factors = [f.factor("pwd", with: password), f.factor("hwk", with: key)]
            func next(after old: Session) async throws -> Session {
                try await f.store.sessions.create(
                    f.makeSession(factors: [f.factor("otp")]), replacing: old.id,
                    carryingSince: f.now - .hours(1), now: f.now)
            }
            let first = f.makeSession(factors: factors)
            try await f.store.sessions.create(first, replacing: nil, now: f.now)
            let second = try await next(after: first)
            try expectEqual(Set(second.factors.flatMap(\.methods)), ["pwd", "hwk", "otp"])
            try expect(
                await f.store.credentials.setPassword(
                    f.makeCredential(.password), replacing: .any, keeping: second.id, now: f.now))
            let third = try await next(after: second)
            try expectEqual(Set(third.factors.flatMap(\.methods)), ["hwk", "otp"])
            guard
                case .removed = try await f.store.credentials.remove(
                    credential: key.id, of: f.person.id)
            else { throw ConformanceFailure(description: "the key was not removed") }
            try expectEqual(await next(after: third).factors.flatMap(\.methods), ["otp"])
        },
        ConformanceCase("nothing is copied from a session that has ended") { f in
            let key = f.makeCredential()
            _ = try await f.store.credentials.add(key)
            let old = f.makeSession(factors: [f.factor("hwk", with: key)])
            try await f.store.sessions.create(old, replacing: nil, now: f.now)
            _ = try await f.store.sessions.end(session: old.id, of: f.person.id, now: f.now)
            let new = f.makeSession(factors: [f.factor("pwd")])
            let made = try await f.store.sessions.create(
                new, replacing: old.id, carryingSince: f.now, now: f.now)
            try expectEqual(made.factors, new.factors)
        },
        ConformanceCase("sessions are listed latest seen first, and a touch moves one up") { f in
            let first = f.makeSession(lastSeenAt: f.now)
            let second = f.makeSession(lastSeenAt: f.now + .minutes(1))
            for session in [first, second] {
                try await f.store.sessions.create(session, replacing: nil, now: f.now)
            }
            let later = f.now + .minutes(2)
            try expectEqual(
                await f.store.sessions.sessions(of: f.person.id, now: later), [second, first])
            try await f.store.sessions.touch(
                session: first.id, now: later, expiresAt: later + .hours(4))
            let touched = try await f.store.sessions.session(first.id, now: later)
            try expectEqual(touched?.lastSeenAt, later)
            try expectEqual(touched?.expiresAt, later + .hours(4))
            try expectEqual(
                await f.store.sessions.sessions(of: f.person.id, now: later).map(\.id),
                [first.id, second.id])
        },
        ConformanceCase("an update of the last use does not reactivate an expired session") { f in
            let session = f.makeSession()
            try await f.store.sessions.create(session, replacing: nil, now: f.now)
            let late = session.expiresAt
            try await f.store.sessions.touch(
                session: session.id, now: late, expiresAt: late + .hours(1))
            try expectEqual(await f.store.sessions.session(session.id, now: late), nil)
        },
        ConformanceCase("a session is ended by its person only, with its grants") { f in
            let session = f.makeSession()
            try await f.store.sessions.create(session, replacing: nil, now: f.now)
            let grant = try await f.redeemedGrant(session: session.id)
            let other = try await f.redeemedGrant()
            try expect(
                await !f.store.sessions.end(session: session.id, of: f.identifier(), now: f.now))
            try expect(await f.store.sessions.end(session: session.id, of: f.person.id, now: f.now))
            try expect(
                await !f.store.sessions.end(session: session.id, of: f.person.id, now: f.now))
            try expectEqual(await f.rotate(grant.id, 1), .unknown)
            guard case .rotated = try await f.rotate(other.id, 1) else {
                throw ConformanceFailure(description: "a grant of no session was revoked")
            }
        },
        ConformanceCase("every session but one ends together") { f in
            let sessions = (0..<4).map { _ in f.makeSession() }
            for session in sessions {
                try await f.store.sessions.create(session, replacing: nil, now: f.now)
            }
            let kept = try await f.redeemedGrant(session: sessions[0].id)
            let lost = try await f.redeemedGrant(session: sessions[1].id)
            let ended = try await f.store.sessions.endSessions(
                of: f.person.id, except: sessions[0].id, now: f.now)
            try expectEqual(ended, 3)
            try expectEqual(
                await f.store.sessions.sessions(of: f.person.id, now: f.now), [sessions[0]])
            try expectEqual(await f.store.grants.grant(kept.id)?.revokedAt, nil)
            try expectEqual(await f.store.grants.grant(lost.id)?.revokedAt, f.now)
            // A machine's, or a program's that was let in with a code.
            let unattended = try await f.redeemedGrant()
            _ = try await f.store.sessions.endSessions(
                of: f.person.id, except: sessions[0].id, now: f.now)
            try expectEqual(await f.store.grants.grant(unattended.id)?.revokedAt, nil)
            let rest = try await f.store.sessions.endSessions(
                of: f.person.id, except: nil, now: f.now)
            try expectEqual(rest, 1)
            try expectEqual(await f.store.grants.grant(unattended.id)?.revokedAt, f.now)
        },
    ]

    static let consents: [ConformanceCase] = [
        ConformanceCase("a consent is widened, never narrowed") { f in
            func save(_ scope: String, _ time: Timestamp) async throws {
                try await f.store.consents.save(
                    Consent(
                        project: f.project.id, person: f.person.id, client: f.client.id,
                        scope: scope, givenAt: time))
            }
            try expectEqual(await f.store.consents.consent(of: f.person.id, for: f.client.id), nil)
            try await save("openid profile", f.now)
            try await save("email openid", f.now + .hours(1))
            let found = try await f.store.consents.consent(of: f.person.id, for: f.client.id)
            try expectEqual(found?.scope, "openid profile email")
            try expectEqual(found?.givenAt, f.now + .hours(1))
        },
        ConformanceCase("consents are listed newest first, each with its client") { f in
            let wiki = f.makeClient("wiki")
            _ = try await f.store.clients.save(wiki, now: f.now)
            for (client, time) in [(f.client, f.now), (wiki, f.now + .hours(1))] {
                try await f.store.consents.save(
                    Consent(
                        project: f.project.id, person: f.person.id, client: client.id,
                        scope: "openid", givenAt: time))
            }
            let found = try await f.store.consents.consents(of: f.person.id)
            try expectEqual(found.map(\.1), [wiki, f.client])
        },
        ConformanceCase("withdrawing a consent revokes the grants to that client") { f in
            try await f.store.consents.save(
                Consent(
                    project: f.project.id, person: f.person.id, client: f.client.id,
                    scope: "openid", givenAt: f.now))
            let grant = try await f.redeemedGrant()
            func withdraw() async throws -> Bool {
                try await f.store.consents.withdraw(
                    person: f.person.id, client: f.client.id, now: f.now)
            }
            try expect(await withdraw())
            try expect(await !withdraw())
            try expectEqual(await f.rotate(grant.id, 1), .unknown)
            try expectEqual(await f.store.grants.grants(of: f.person.id, now: f.now), [])
        },
    ]
}
