// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension ConformanceCase {
    static let credentials: [ConformanceCase] = [
        ConformanceCase("a credential is found by its external id, kind and project") { f in
            let credential = f.makeCredential()
            try expect(await f.store.credentials.add(credential))
            func find(
                _ kind: Credential.Kind, _ project: Identifier<Project>
            ) async throws
                -> Credential?
            {
                try await f.store.credentials.credential(
                    externalID: credential.externalID, kind: kind, in: project)
            }
            try expectEqual(await find(.publicKey, f.project.id), credential)
            try expectEqual(await find(.recoveryCode, f.project.id), nil)
            let other = try await StoreFixture(f.store)
            try expectEqual(await find(.publicKey, other.project.id), nil)
        },
        ConformanceCase("credentials are listed oldest first") { f in
            let new = f.makeCredential(createdAt: f.now + .hours(1))
            let old = f.makeCredential(createdAt: f.now)
            _ = try await f.store.credentials.add(new)
            _ = try await f.store.credentials.add(old)
            try expectEqual(await f.store.credentials.credentials(of: f.person.id), [old, new])
        },
        ConformanceCase("an external id is taken once in a project") { f in
            let credential = f.makeCredential()
            _ = try await f.store.credentials.add(credential)
            var again = f.makeCredential()
            again.externalID = credential.externalID
            try expect(await !f.store.credentials.add(again))
        },
        ConformanceCase("a credential without a person fails") { f in
            var credential = f.makeCredential()
            credential.person = f.identifier()
            let orphan = credential
            try await expectFailure { _ = try await f.store.credentials.add(orphan) }
        },
        ConformanceCase("setting a password replaces it and ends the rest") { f in
            let kept = f.makeSession()
            let other = f.makeSession()
            try await f.store.sessions.create(kept, replacing: nil, now: f.now)
            try await f.store.sessions.create(other, replacing: nil, now: f.now)
            let grant = try await f.redeemedGrant()
            try expect(await f.set(f.makeCredential(.password), keeping: kept.id))
            let second = f.makeCredential(.password)
            try expect(await f.set(second, keeping: kept.id))
            try expectEqual(await f.store.credentials.credentials(of: f.person.id), [second])
            try expectEqual(await f.store.sessions.session(kept.id, now: f.now), kept)
            try expectEqual(await f.store.sessions.session(other.id, now: f.now), nil)
            try expectEqual(await f.rotate(grant.id, 1), .unknown)
            try expect(await f.set(f.makeCredential(.password)))
            try expectEqual(await f.store.sessions.sessions(of: f.person.id, now: f.now), [])
        },
        ConformanceCase("a password that is set takes the place of the one that was read") { f in
            let session = f.makeSession()
            try await f.store.sessions.create(session, replacing: nil, now: f.now)
            let passwords = (0..<3).map { _ in f.makeCredential(.password) }
            try expect(await !f.set(passwords[1], replacing: .only(passwords[0].id)))
            try expect(await f.set(passwords[0], replacing: .nothing, keeping: session.id))
            try expect(await !f.set(passwords[1], replacing: .nothing))
            try expect(await f.set(passwords[1], replacing: .only(passwords[0].id)))
            try expect(await !f.set(passwords[2], replacing: .only(passwords[0].id)))
            try expectEqual(await f.store.credentials.credentials(of: f.person.id), [passwords[1]])
            try expectEqual(await f.store.sessions.sessions(of: f.person.id, now: f.now), [])
        },
        ConformanceCase("the mark of a first password stays until another password is set") { f in
            var first = f.makeCredential(.password)
            first.details = #"{"must_change":true}"#
            try expect(await f.set(first))
            let hash = f.bytes()
            try expect(
                await f.store.credentials.renewPasswordHash(
                    of: first.id, from: first.publicPart, to: hash))
            try expect(
                await f.store.credentials.recordUse(
                    ofUnchanged: first, to: 0, details: first.details, now: f.now))
            try expectEqual(await f.firstDetails(), first.details)
            var second = f.makeCredential(.password)
            second.details = "{}"
            try expect(await f.set(second, replacing: .only(first.id)))
            try expectEqual(await f.firstDetails(), "{}")
            // What was read before writes no mark onto the new password.
            try expect(
                await !f.store.credentials.recordUse(
                    ofUnchanged: first, to: 0, details: first.details, now: f.now))
            try expect(await f.set(first))
            try expectEqual(await f.firstDetails(), first.details)
        },
        ConformanceCase("what waits for approval is an administrator's, until it is approved") {
            f in
            var password = f.makeCredential(.password)
            for credential in [password, f.makeCredential()] {
                _ = try await f.store.credentials.add(credential)
            }
            func removeKey(othersWait: Bool = true) async throws {
                let key = f.makeCredential()
                _ = try await f.store.credentials.add(key)
                let outcome = try await f.store.credentials.remove(
                    credential: key.id, of: f.person.id
                ) {
                    $0.contains(key) && othersWait
                }
                try expectEqual(outcome, .removed(key))
            }
            let mine = {
                try await f.store.credentials.credentialsAwaitingApproval().filter {
                    $0.person == f.person.id
                }
            }
            // They have no role.
            try await removeKey()
            try expectEqual(
                await f.store.administrators.assign(f.makeAdministrator(.support)), .assigned)
            try expectEqual(await mine(), [])
            try await removeKey()
            password.awaitsApproval = true
            try expectEqual(await mine(), [password])
            // Exactly what waits is approved: not less, not more, not nothing.
            func approve(_ shown: [Credential]) async throws -> Bool {
                try await f.store.credentials.approveCredentials(
                    Set(shown.map(\.id)), of: f.person.id)
            }
            var key = f.makeCredential()
            key.awaitsApproval = true
            try expect(await !approve([]))
            try expect(await !approve([password, key]))
            try expect(await f.store.credentials.add(key))
            try expect(await !approve([password]))
            try expectEqual(Set(await mine().map(\.id)), [password.id, key.id])
            try expect(await approve([password, key]))
            try expect(await !approve([password, key]))
            try expect(await !approve([]))
            try expectEqual(await mine(), [])
            try await removeKey(othersWait: false)
            try expectEqual(await mine(), [])
            // A password that an administrator sets waits no longer.
            try await removeKey()
            let set = try await f.store.credentials.setPassword(
                f.makeCredential(.password), replacing: .any, keeping: nil, now: f.now)
            try expect(set)
            try expectEqual(await mine(), [])
        },
        ConformanceCase("a password that replaces another has all values of the new one") { f in
            var first = f.makeCredential(.password)
            try expect(await f.store.credentials.add(first))
            for isNamed in [true, false] {
                var second = f.makeCredential(.password, createdAt: f.now + .seconds(1))
                (second.details, second.label, second.assurance) = ("{}", "new", "password")
                (second.signCount, second.lastUsedAt) = (3, f.now)
                second.awaitsApproval = true
                try expect(await f.set(second, replacing: isNamed ? .only(first.id) : .any))
                try expectEqual(await f.store.credentials.credentials(of: f.person.id), [second])
                first = second
            }
        },
        ConformanceCase("a password's hash is renewed once, and nothing ends") { f in
            let session = f.makeSession()
            try await f.store.sessions.create(session, replacing: nil, now: f.now)
            let grant = try await f.redeemedGrant(session: session.id)
            let password = f.makeCredential(.password)
            _ = try await f.store.credentials.add(password)
            let key = f.makeCredential()
            _ = try await f.store.credentials.add(key)
            let fresh = f.bytes()
            func renew(_ credential: Credential, _ old: [UInt8]) async throws -> Bool {
                try await f.store.credentials.renewPasswordHash(
                    of: credential.id, from: old, to: fresh)
            }
            try expect(await !renew(password, f.bytes()))
            try expect(await !renew(key, key.publicPart))
            try expect(await renew(password, password.publicPart))
            try expect(await !renew(password, password.publicPart))
            let stored = try await f.store.credentials.credentials(of: f.person.id)
            try expectEqual(stored.first { $0.kind == .password }?.publicPart, fresh)
            try expectEqual(stored.first { $0.kind == .publicKey }?.publicPart, key.publicPart)
            try expectEqual(await f.store.sessions.session(session.id, now: f.now), session)
            try expectEqual(await f.store.grants.grant(grant.id), grant)
        },
        ConformanceCase("a hash is not renewed over a password that has changed") { f in
            let first = f.makeCredential(.password)
            _ = try await f.store.credentials.add(first)
            let second = f.makeCredential(.password)
            try expect(await f.set(second))
            for id in [first.id, second.id] {
                try expect(
                    await !f.store.credentials.renewPasswordHash(
                        of: id, from: first.publicPart, to: f.bytes()))
            }
            try expectEqual(await f.store.credentials.credentials(of: f.person.id), [second])
        },
        ConformanceCase("recovery codes are replaced together and each works once") { f in
            let old = f.makeCredential(.recoveryCode)
            try await f.store.credentials.replaceRecoveryCodes(of: f.person.id, with: [old])
            let codes = (0..<3).map { _ in f.makeCredential(.recoveryCode) }
            try await f.store.credentials.replaceRecoveryCodes(of: f.person.id, with: codes)
            func use(_ code: Credential, _ person: Identifier<Person>) async throws -> Credential? {
                try await f.store.credentials.consumeRecoveryCode(
                    hash: code.externalID, person: person)
            }
            try expectEqual(await use(old, f.person.id), nil)
            try expectEqual(await use(codes[0], f.identifier()), nil)
            try expectEqual(await use(codes[0], f.person.id), codes[0])
            try expectEqual(await use(codes[0], f.person.id), nil)
            try expectEqual(await f.store.credentials.credentials(of: f.person.id).count, 2)
        },
        ConformanceCase(
            "the time of the last use is recorded and nothing else, and never goes back"
        ) {
            f in
            var credential = f.makeCredential()
            _ = try await f.store.credentials.add(credential)
            try await f.store.credentials.noteUse(of: credential.id, now: f.now + .seconds(9))
            try await f.store.credentials.noteUse(of: credential.id, now: f.now)
            credential.lastUsedAt = f.now + .seconds(9)
            try expectEqual(await f.store.credentials.credentials(of: f.person.id), [credential])
        },
        ConformanceCase("a use counts only while counter and details are those that were read") {
            f in
            let credential = f.makeCredential()
            _ = try await f.store.credentials.add(credential)
            func use(_ known: Credential, _ new: Int64, _ details: String) async throws -> Bool {
                try await f.store.credentials.recordUse(
                    ofUnchanged: known, to: new, details: details, now: f.now)
            }
            // The counter stays, and the details change: the earlier state is outdated.
            try expect(await use(credential, 0, #"{"key":2}"#))
            try expect(await !use(credential, 1, "{}"))
            let found = try await f.store.credentials.credentials(of: f.person.id)[0]
            try expectEqual(found.details, #"{"key":2}"#)
            try expectEqual(found.signCount, 0)
            try expectEqual(found.lastUsedAt, f.now)
            try expect(await use(found, 1, found.details))
            try expect(await !use(found, 2, found.details))
            try expectEqual(await f.store.credentials.credentials(of: f.person.id)[0].signCount, 1)
        },
        ConformanceCase("a credential is renamed by its person only") { f in
            let credential = f.makeCredential()
            _ = try await f.store.credentials.add(credential)
            try expect(
                await !f.store.credentials.rename(
                    credential: credential.id, of: f.identifier(), label: "x"))
            try expect(
                await f.store.credentials.rename(
                    credential: credential.id, of: f.person.id, label: "blue"))
            try expectEqual(await f.store.credentials.credentials(of: f.person.id)[0].label, "blue")
        },
        ConformanceCase("a lost key goes with the sessions that it opened and their grants") { f in
            let (key, other) = (f.makeCredential(), f.makeCredential())
            for credential in [key, other] { _ = try await f.store.credentials.add(credential) }
            let stolen = f.makeSession(factors: [f.factor("hwk", with: key)])
            let own = f.makeSession(factors: [f.factor("pwd"), f.factor("hwk", with: key)])
            let apart = f.makeSession(factors: [f.factor("hwk", with: other)])
            for session in [stolen, own, apart] {
                try await f.store.sessions.create(session, replacing: nil, now: f.now)
            }
            let grants = [
                try await f.redeemedGrant(session: stolen.id),
                try await f.redeemedGrant(session: own.id), try await f.redeemedGrant(),
            ]
            let kept = try await f.redeemedGrant(session: apart.id)
            let outcome = try await f.store.credentials.revokeLost(
                credential: key.id, of: f.person.id, keeping: own.id, leavingNone: false,
                now: f.now)
            try expectEqual(outcome, .removed(key))
            try expectEqual(await f.store.sessions.session(stolen.id, now: f.now), nil)
            let rest = try await f.store.sessions.session(own.id, now: f.now)
            try expectEqual(rest?.factors, [f.factor("pwd")])
            try expectEqual(rest?.authenticationMethods, "pwd")
            try expectEqual(await f.store.sessions.session(apart.id, now: f.now), apart)
            for grant in grants { try expectEqual(await f.rotate(grant.id, 1), .unknown) }
            guard case .rotated = try await f.rotate(kept.id, 1) else {
                throw ConformanceFailure(description: "a grant of another key was revoked")
            }
        },
        ConformanceCase("a session that rests on the lost key alone ends, kept or not") { f in
            let key = f.makeCredential()
            _ = try await f.store.credentials.add(key)
            _ = try await f.store.credentials.add(f.makeCredential(.password))
            let session = f.makeSession(factors: [f.factor("hwk", with: key)])
            try await f.store.sessions.create(session, replacing: nil, now: f.now)
            _ = try await f.store.credentials.revokeLost(
                credential: key.id, of: f.person.id, keeping: session.id, leavingNone: false,
                now: f.now)
            try expectEqual(await f.store.sessions.session(session.id, now: f.now), nil)
        },
        ConformanceCase("sessions of older versions end when a key is lost that may be theirs") {
            f in
            let key = f.makeCredential()
            _ = try await f.store.credentials.add(key)
            _ = try await f.store.credentials.add(f.makeCredential(.password))
            // No factors: they say how, but not with which key.
            var sessions = ["hwk user mfa", "pwd pop", "swk", "pwd", "otp"].map { methods in
                var session = f.makeSession()
                session.authenticationMethods = methods
                return session
            }
            var grants: [Grant] = []
            for session in sessions {
                try await f.store.sessions.create(session, replacing: nil, now: f.now)
                grants.append(try await f.redeemedGrant(session: session.id))
            }
            _ = try await f.store.credentials.revokeLost(
                credential: key.id, of: f.person.id, keeping: sessions[0].id, leavingNone: false,
                now: f.now)
            for (session, grant) in zip(sessions.prefix(3), grants) {
                try expectEqual(await f.store.sessions.session(session.id, now: f.now), nil)
                try expectEqual(await f.rotate(grant.id, 1), .unknown)
            }
            sessions.removeFirst(3)
            for (session, grant) in zip(sessions, grants.dropFirst(3)) {
                try expectEqual(await f.store.sessions.session(session.id, now: f.now), session)
                guard case .rotated = try await f.rotate(grant.id, 1) else {
                    throw ConformanceFailure(description: "a grant without a key was revoked")
                }
            }
        },
        ConformanceCase("grants outlive their session, but not a lost key that may be theirs") {
            f in
            let key = f.makeCredential()
            _ = try await f.store.credentials.add(key)
            _ = try await f.store.credentials.add(f.makeCredential(.password))
            var grants: [Grant] = []
            for methods in ["pwd hwk user", "pwd"] {
                var session = f.makeSession(factors: [f.factor("pwd")])
                session.expiresAt = f.now + .seconds(1)
                try await f.store.sessions.create(session, replacing: nil, now: f.now)
                var grant = f.makeGrant(session: session.id)
                grant.authenticationMethods = methods
                let code = f.makeCode(grant)
                try await f.store.grants.save(code)
                _ = try await f.store.grants.redeemCode(hash: code.hash, generation: 1, now: f.now)
                grants.append(grant)
            }
            _ = try await f.store.maintenance.sweep(now: f.now + .minutes(5), batch: 100)
            _ = try await f.store.credentials.revokeLost(
                credential: key.id, of: f.person.id, keeping: nil, leavingNone: false, now: f.now)
            try expectEqual(await f.rotate(grants[0].id, 1), .unknown)
            guard case .rotated = try await f.rotate(grants[1].id, 1) else {
                throw ConformanceFailure(description: "a grant without a key was revoked")
            }
        },
        ConformanceCase(
            "a lost key belongs to its owner, and the last credential is deleted on request only"
        ) {
            f in
            let key = f.makeCredential()
            _ = try await f.store.credentials.add(key)
            func lose(
                _ person: Identifier<Person>, leavingNone: Bool
            ) async throws -> RemoveCredentialOutcome {
                try await f.store.credentials.revokeLost(
                    credential: key.id, of: person, keeping: nil, leavingNone: leavingNone,
                    now: f.now)
            }
            try expectEqual(await lose(f.identifier(), leavingNone: true), .unknown)
            try expectEqual(await lose(f.person.id, leavingNone: false), .lastWayIn)
            try expectEqual(await lose(f.person.id, leavingNone: true), .removed(key))
            try expectEqual(await lose(f.person.id, leavingNone: true), .unknown)
        },
        ConformanceCase("the last credential stays, and recovery codes do not count") { f in
            let first = f.makeCredential()
            let second = f.makeCredential(.password)
            let code = f.makeCredential(.recoveryCode)
            for credential in [first, second, code] {
                _ = try await f.store.credentials.add(credential)
            }
            func remove(_ id: Identifier<Credential>) async throws -> RemoveCredentialOutcome {
                try await f.store.credentials.remove(credential: id, of: f.person.id)
            }
            try expectEqual(await remove(code.id), .unknown)
            try expectEqual(await remove(f.identifier()), .unknown)
            try expectEqual(
                await f.store.credentials.remove(credential: first.id, of: f.identifier()), .unknown
            )
            try expectEqual(await remove(first.id), .removed(first))
            try expectEqual(await remove(first.id), .unknown)
            try expectEqual(await remove(second.id), .lastWayIn)
        },
    ]
}

extension StoreFixture {
    fileprivate func firstDetails() async throws -> String? {
        try await store.credentials.credentials(of: person.id).first?.details
    }
}
