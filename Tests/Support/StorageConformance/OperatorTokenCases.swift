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
            try expect(await !tokens.isActive(operatorToken: first))
            for token in [first, second, first] {
                try expect(await tokens.register(operatorToken: token, now: f.now))
            }
            try expect(await tokens.isActive(operatorToken: second))
            try await tokens.replaceOperatorTokens(with: fresh, now: f.now)
            try expect(await tokens.isActive(operatorToken: fresh))
            for token in [first, second] {
                try expect(await !tokens.isActive(operatorToken: token))
                // A process with an old file does not bring it back.
                try expect(await !tokens.register(operatorToken: token, now: f.now))
                try expect(await !tokens.isActive(operatorToken: token))
            }
        }
    ]
}
