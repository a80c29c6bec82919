// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension ConformanceCase {
    static let codes: [ConformanceCase] = [
        ConformanceCase("a code is found as it was issued, before and after its use") { f in
            let code = f.makeCode()
            try await f.store.grants.save(code)
            try expectEqual(await f.store.grants.code(hash: code.hash), code)
            _ = try await f.store.grants.redeemCode(hash: code.hash, generation: 1, now: f.now)
            try expectEqual(await f.store.grants.code(hash: code.hash), code)
            try expectEqual(await f.store.grants.code(hash: f.bytes()), nil)
        },
        ConformanceCase("a code without challenge and session keeps them absent") { f in
            var code = f.makeCode()
            code.codeChallenge = nil
            code.redirectURIWasSent = false
            code.grant.nonce = nil
            try await f.store.grants.save(code)
            try expectEqual(await f.store.grants.code(hash: code.hash), code)
        },
        ConformanceCase("a code makes its grant, once") { f in
            let code = f.makeCode()
            try await f.store.grants.save(code)
            try expectEqual(await f.store.grants.grant(code.grant.id), nil)
            let later = f.now + .seconds(2)
            var expected = code.grant
            expected.generation = 1
            expected.rotatedAt = later
            let outcome = try await f.store.grants.redeemCode(
                hash: code.hash, generation: 1, now: later)
            try expectEqual(outcome, .redeemed(expected))
            try expectEqual(await f.store.grants.grant(code.grant.id), expected)
        },
        ConformanceCase("a second use of a code revokes its grant") { f in
            let code = f.makeCode()
            try await f.store.grants.save(code)
            func redeem(_ time: Timestamp) async throws -> RedeemOutcome {
                try await f.store.grants.redeemCode(hash: code.hash, generation: 1, now: time)
            }
            _ = try await redeem(f.now)
            try expectEqual(await redeem(f.now), .reused(code.grant.id))
            try expectEqual(await f.rotate(code.grant.id, 1), .unknown)
            try expectEqual(await redeem(code.expiresAt + .hours(1)), .reused(code.grant.id))
        },
        ConformanceCase("an expired or unknown code creates no grant") { f in
            let code = f.makeCode()
            try await f.store.grants.save(code)
            let late = try await f.store.grants.redeemCode(
                hash: code.hash, generation: 1, now: code.expiresAt)
            try expectEqual(late, .expired)
            let unknown = try await f.store.grants.redeemCode(
                hash: f.bytes(), generation: 1, now: f.now)
            try expectEqual(unknown, .unknown)
            try expectEqual(await f.store.grants.grant(code.grant.id), nil)
        },
        ConformanceCase("a code without a person or without a client fails") { f in
            var grant = f.makeGrant()
            grant.person = f.identifier()
            let nobody = f.makeCode(grant)
            try await expectFailure { try await f.store.grants.save(nobody) }
            grant = f.makeGrant()
            grant.client = f.identifier()
            let noClient = f.makeCode(grant)
            try await expectFailure { try await f.store.grants.save(noClient) }
        },
        ConformanceCase("a hash of a code is given once") { f in
            let code = f.makeCode()
            try await f.store.grants.save(code)
            var again = f.makeCode()
            again.hash = code.hash
            let copy = again
            try await expectFailure { try await f.store.grants.save(copy) }
        },
    ]
}
