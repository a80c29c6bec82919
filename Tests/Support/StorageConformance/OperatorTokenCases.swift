// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension ConformanceCase {
    static let operatorTokens: [ConformanceCase] = [
        ConformanceCase("operator tokens of several directories are active, until all are replaced")
        {
            f in
            let (first, second, fresh) = (f.bytes(), f.bytes(), f.bytes())
            let tokens = f.store.operatorTokens
            try expect(await !tokens.isActive(operatorToken: first, now: f.now))
            for token in [first, second, first, fresh] {
                try expect(await register(token, f))
            }
            try expect(await tokens.isActive(operatorToken: second, now: f.now + .days(900)))
            try expect(await tokens.revokeOperatorTokens(except: fresh, now: f.now))
            try expect(await tokens.isActive(operatorToken: fresh, now: f.now))
            for token in [first, second] {
                try expect(await !tokens.isActive(operatorToken: token, now: f.now))
                // A process with an old file does not bring it back.
                try expect(await !register(token, f))
                try expect(await !tokens.isActive(operatorToken: token, now: f.now))
                try expect(await !tokens.revokeOperatorTokens(except: token, now: f.now))
            }
            try expect(await tokens.isActive(operatorToken: fresh, now: f.now))
        },
        ConformanceCase(
            "an operator token is active until its expiry, and again when it is renewed"
        ) {
            f in
            let (token, older) = (f.bytes(), f.bytes())
            let tokens = f.store.operatorTokens
            try expect(await register(older, f))
            try expect(await register(token, f, expiresAt: f.now + .minutes(3)))
            try expect(
                await tokens.isActive(operatorToken: token, now: f.now + .minutes(3) - .seconds(1)))
            try expect(await !tokens.isActive(operatorToken: token, now: f.now + .minutes(3)))
            try expect(await register(token, f, expiresAt: f.now + .minutes(6)))
            try expect(await tokens.isActive(operatorToken: token, now: f.now + .minutes(5)))
            // That of a process without expiries is active for a day after one with them started.
            try expect(
                await tokens.isActive(operatorToken: older, now: f.now + .days(1) - .seconds(1)))
            try expect(await !tokens.isActive(operatorToken: older, now: f.now + .days(1)))
        },
        ConformanceCase("of eight concurrent revocations of each other's token one succeeds") { f in
            let fresh = (0..<8).map { _ in f.bytes() }
            for token in fresh { try expect(await register(token, f)) }
            let done = try await race(8) { number in
                try await f.store.operatorTokens.revokeOperatorTokens(
                    except: fresh[number], now: f.now)
            }
            try expectEqual(done.count { $0 }, 1)
            for (token, isDone) in zip(fresh, done) {
                let isActive = try await f.store.operatorTokens.isActive(
                    operatorToken: token, now: f.now)
                try expectEqual(isActive, isDone)
            }
        },
    ]

    private static func register(
        _ token: [UInt8], _ f: StoreFixture, expiresAt: Timestamp? = nil
    ) async throws -> Bool {
        try await f.store.operatorTokens.register(
            operatorToken: token, expiresAt: expiresAt, now: f.now)
    }
}
