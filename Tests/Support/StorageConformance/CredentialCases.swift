// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension ConformanceCase {
    static let credentials: [ConformanceCase] = [
        ConformanceCase("a credential is found by its external id, kind and project") { f in
            let credential = f.makeCredential()
            try expect(await f.store.add(credential))
            func find(
                _ kind: Credential.Kind, _ project: Identifier<Project>
            ) async throws
                -> Credential?
            {
                try await f.store.credential(
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
            _ = try await f.store.add(new)
            _ = try await f.store.add(old)
            try expectEqual(await f.store.credentials(of: f.person.id), [old, new])
        },
        ConformanceCase("an external id is taken once in a project") { f in
            let credential = f.makeCredential()
            _ = try await f.store.add(credential)
            var again = f.makeCredential()
            again.externalID = credential.externalID
            try expect(await !f.store.add(again))
        },
        ConformanceCase("a credential of nobody fails") { f in
            var credential = f.makeCredential()
            credential.person = f.identifier()
            let orphan = credential
            try await expectFailure { _ = try await f.store.add(orphan) }
        },
        ConformanceCase("setting a password replaces it and ends the rest") { f in
            let kept = f.makeSession()
            let other = f.makeSession()
            try await f.store.create(kept, replacing: nil, now: f.now)
            try await f.store.create(other, replacing: nil, now: f.now)
            let grant = try await f.redeemedGrant()
            try await f.store.setPassword(f.makeCredential(.password), keeping: kept.id, now: f.now)
            let second = f.makeCredential(.password)
            try await f.store.setPassword(second, keeping: kept.id, now: f.now)
            try expectEqual(await f.store.credentials(of: f.person.id), [second])
            try expectEqual(await f.store.session(kept.id, now: f.now), kept)
            try expectEqual(await f.store.session(other.id, now: f.now), nil)
            try expectEqual(await f.rotate(grant.id, 1), .unknown)
            try await f.store.setPassword(f.makeCredential(.password), keeping: nil, now: f.now)
            try expectEqual(await f.store.sessions(of: f.person.id, now: f.now), [])
        },
        ConformanceCase("recovery codes are replaced together and each works once") { f in
            let old = f.makeCredential(.recoveryCode)
            try await f.store.replaceRecoveryCodes(of: f.person.id, with: [old])
            let codes = (0..<3).map { _ in f.makeCredential(.recoveryCode) }
            try await f.store.replaceRecoveryCodes(of: f.person.id, with: codes)
            func use(_ code: Credential, _ person: Identifier<Person>) async throws -> Credential? {
                try await f.store.consumeRecoveryCode(hash: code.externalID, person: person)
            }
            try expectEqual(await use(old, f.person.id), nil)
            try expectEqual(await use(codes[0], f.identifier()), nil)
            try expectEqual(await use(codes[0], f.person.id), codes[0])
            try expectEqual(await use(codes[0], f.person.id), nil)
            try expectEqual(await f.store.credentials(of: f.person.id).count, 2)
        },
        ConformanceCase("a use is recorded unless the counter has moved") { f in
            let credential = f.makeCredential()
            _ = try await f.store.add(credential)
            func use(_ old: Int64, _ new: Int64) async throws -> Bool {
                try await f.store.recordUse(
                    of: credential.id, from: old, to: new, details: "{}", now: f.now)
            }
            try expect(await use(0, 5))
            try expect(await !use(0, 6))
            try expect(await use(5, 6))
            let found = try await f.store.credentials(of: f.person.id)[0]
            try expectEqual(found.signCount, 6)
            try expectEqual(found.lastUsedAt, f.now)
            try expectEqual(found.details, "{}")
        },
        ConformanceCase("a credential is renamed by its person only") { f in
            let credential = f.makeCredential()
            _ = try await f.store.add(credential)
            try expect(
                await !f.store.rename(credential: credential.id, of: f.identifier(), label: "x"))
            try expect(
                await f.store.rename(credential: credential.id, of: f.person.id, label: "blue"))
            try expectEqual(await f.store.credentials(of: f.person.id)[0].label, "blue")
        },
        ConformanceCase("the last way in stays, and recovery codes are none") { f in
            let first = f.makeCredential()
            let second = f.makeCredential(.password)
            let code = f.makeCredential(.recoveryCode)
            for credential in [first, second, code] { _ = try await f.store.add(credential) }
            func remove(_ id: Identifier<Credential>) async throws -> RemoveCredentialOutcome {
                try await f.store.remove(credential: id, of: f.person.id)
            }
            try expectEqual(await remove(code.id), .unknown)
            try expectEqual(await remove(f.identifier()), .unknown)
            try expectEqual(
                await f.store.remove(credential: first.id, of: f.identifier()), .unknown)
            try expectEqual(await remove(first.id), .removed(first))
            try expectEqual(await remove(first.id), .unknown)
            try expectEqual(await remove(second.id), .lastWayIn)
        },
    ]
}
