// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension ConformanceCase {
    static let grants: [ConformanceCase] = [
        ConformanceCase("a rotation moves the family by one") { f in
            var grant = try await f.redeemedGrant()
            for step in 1...3 {
                let time = f.now + .minutes(Int64(step))
                grant.generation += 1
                grant.rotatedAt = time
                let outcome = try await f.rotate(grant.id, Int64(step), at: time)
                try expectEqual(outcome, .rotated(grant))
            }
            try expectEqual(await f.store.grants.grant(grant.id), grant)
        },
        ConformanceCase("within the grace the same successor comes again") { f in
            let grant = try await f.redeemedGrant()
            guard case .rotated(let moved) = try await f.rotate(grant.id, 1) else {
                throw ConformanceFailure(description: "did not rotate")
            }
            let within = f.now + .seconds(9)
            try expectEqual(await f.rotate(grant.id, 1, at: within), .replayed(moved))
            try expectEqual(await f.rotate(grant.id, 1, at: within), .replayed(moved))
        },
        ConformanceCase("after the grace an old token revokes the family") { f in
            let grant = try await f.redeemedGrant()
            _ = try await f.rotate(grant.id, 1)
            try expectEqual(await f.rotate(grant.id, 1, at: f.now + .seconds(10)), .reused)
            try expectEqual(await f.rotate(grant.id, 2), .unknown)
            try expectEqual(await f.store.grants.grant(grant.id)?.revokedAt, f.now + .seconds(10))
        },
        ConformanceCase("the last but two is reuse even within the grace") { f in
            let grant = try await f.redeemedGrant()
            _ = try await f.rotate(grant.id, 1)
            _ = try await f.rotate(grant.id, 2)
            try expectEqual(await f.rotate(grant.id, 1), .reused)
        },
        ConformanceCase("a long grace ends when the successor is used, and with its time") { f in
            let hour = TimeSpan.hours(1)
            let grant = try await f.redeemedGrant()
            guard case .rotated(let second) = try await f.rotate(grant.id, 1, grace: hour) else {
                throw ConformanceFailure(description: "did not rotate")
            }
            let late = f.now + .minutes(59)
            try expectEqual(await f.rotate(grant.id, 1, grace: hour, at: late), .replayed(second))
            guard
                case .rotated(let third) = try await f.rotate(grant.id, 2, grace: hour, at: late)
            else { throw ConformanceFailure(description: "the successor did not rotate") }
            try expectEqual(await f.rotate(grant.id, 2, grace: hour, at: late), .replayed(third))
            try expectEqual(await f.rotate(grant.id, 1, grace: hour, at: late), .reused)
            try expectEqual(await f.rotate(grant.id, 3, grace: hour, at: late), .unknown)

            let other = try await f.redeemedGrant()
            _ = try await f.rotate(other.id, 1, grace: hour)
            try expectEqual(await f.rotate(other.id, 1, grace: hour, at: f.now + hour), .reused)
        },
        ConformanceCase("no grace means no replay") { f in
            let grant = try await f.redeemedGrant()
            _ = try await f.rotate(grant.id, 1, grace: .seconds(0))
            try expectEqual(await f.rotate(grant.id, 1, grace: .seconds(0)), .reused)
        },
        ConformanceCase("a token that is idle for too long is unknown") { f in
            let grant = try await f.redeemedGrant()
            try expectEqual(await f.rotate(grant.id, 1, at: f.now + .days(30)), .unknown)
            guard case .rotated = try await f.rotate(grant.id, 1, at: f.now + .days(29)) else {
                throw ConformanceFailure(description: "a token in use did not rotate")
            }
        },
        ConformanceCase("generations that were not issued are unknown, and have no effect") { f in
            let grant = try await f.redeemedGrant()
            for generation: Int64 in [2, 3, 0, -1, .max, .min] {
                try expectEqual(await f.rotate(grant.id, generation), .unknown)
            }
            try expectEqual(await f.rotate(f.identifier(), 1), .unknown)
            try expectEqual(await f.store.grants.grant(grant.id), grant)
        },
        ConformanceCase("a grant without refresh tokens does not rotate") { f in
            let code = f.makeCode()
            try await f.store.grants.save(code)
            _ = try await f.store.grants.redeemCode(hash: code.hash, generation: 0, now: f.now)
            try expectEqual(await f.rotate(code.grant.id, 0), .unknown)
        },
        ConformanceCase("a code that was not used has no family yet") { f in
            let code = f.makeCode()
            try await f.store.grants.save(code)
            try expectEqual(await f.rotate(code.grant.id, 0), .unknown)
            try expectEqual(await f.rotate(code.grant.id, 1), .unknown)
            try expectEqual(await f.store.grants.grants(of: f.person.id, now: f.now), [])
        },
        ConformanceCase("an expired or revoked grant does not rotate") { f in
            let grant = try await f.redeemedGrant()
            try expectEqual(await f.rotate(grant.id, 1, at: grant.expiresAt), .unknown)
            try await f.store.grants.revoke(grant: grant.id, now: f.now)
            try await f.store.grants.revoke(grant: grant.id, now: f.now + .hours(1))
            try expectEqual(await f.rotate(grant.id, 1), .unknown)
            try expectEqual(await f.store.grants.grant(grant.id)?.revokedAt, f.now)
        },
        ConformanceCase("active grants are listed newest first") { f in
            var codes: [AuthorizationCode] = []
            for hour in 0..<3 {
                var grant = f.makeGrant()
                grant.createdAt = f.now + .hours(Int64(hour))
                let code = f.makeCode(grant)
                codes.append(code)
                try await f.store.grants.save(code)
                _ = try await f.store.grants.redeemCode(hash: code.hash, generation: 1, now: f.now)
            }
            try await f.store.grants.revoke(grant: codes[1].grant.id, now: f.now)
            let found = try await f.store.grants.grants(of: f.person.id, now: f.now)
            try expectEqual(found.map(\.id), [codes[2].grant.id, codes[0].grant.id])
            try expectEqual(
                await f.store.grants.grants(of: f.person.id, now: f.now + .days(366)), [])
        },
    ]
}
