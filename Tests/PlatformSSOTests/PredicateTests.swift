// SPDX-License-Identifier: Apache-2.0
import JOSE
import PlatformSSO
import Support
import Testing

@Suite("Predicates over the body of a failure")
struct PredicateTests {
    private static let body: JSONValue = [
        "errorCode": "C0000006", "suberror": "invalid_password", "count": 3, "ratio": 1.5,
        "locked": false, "final": true, "nothing": .null, "codes": [50126, "AADSTS50126"],
        "error": ["code": "invalid_grant", "inner": ["depth": 2]], "name": "Größe",
        "errors": [["code": 1, "kind": "a"], ["code": 2]],
    ]

    @Test(
        "True of the body",
        arguments: [
            "errorCode = 'C0000006' AND suberror = 'invalid_password'", "errorCode == \"C0000006\"",
            "count = 3", "count == 3.0", "count < 4", "count <= 3", "count > 2", "count >= 3",
            "count => 3 && count =< 3", "ratio > 1 AND ratio < 2", "-1 < count", "3 = count",
            "count != 4", "count <> 4", "errorCode != 'other'", "error.code = 'invalid_grant'",
            "error.inner.depth = 2", "locked = FALSE", "locked == NO", "final = TRUE",
            "final == YES", "final = 1", "nothing = NULL", "nothing = nil", "missing = NULL",
            "missing != 'x'", "error.missing.deeper = NULL", "suberror CONTAINS 'password'",
            "suberror BEGINSWITH 'invalid'", "suberror ENDSWITH 'word'", "suberror CONTAINS ''",
            "suberror contains[c] 'PASSWORD'", "suberror ==[c] 'Invalid_Password'",
            "codes CONTAINS 50126", "'AADSTS50126' IN codes", "count IN {1, 2, 3}",
            "errorCode IN {'C0000006', 'C0000007'}", "'grant' IN error.code",
            "NOT count = 4", "! (count = 4)", "NOT NOT count = 3", "not locked = true",
            "count = 4 OR errorCode = 'C0000006'", "count = 4 || count = 3",
            "count = 3 OR count = 4 AND count = 5", "(count = 4 OR count = 3) AND final = TRUE",
            "TRUEPREDICATE", "NOT FALSEPREDICATE", "name = 'Größe'", "'a' < 'b'",
            "SELF.count = 3", "self.error.inner.depth = 2", "errors.code CONTAINS 2",
            "1 IN errors.code", "'a' IN SELF.errors.kind", "errors.code = {1, 2}",
        ])
    func holds(_ text: String) throws {
        #expect(try ResponsePredicate(text).holds(for: Self.body))
    }

    @Test(
        "False of the body",
        arguments: [
            "errorCode = 'c0000006'", "count = '3'", "errorCode = 3", "count > 3", "missing = 'x'",
            "missing < 1", "missing > 1", "nothing < 1", "suberror > 1", "locked = TRUE",
            "locked = NULL", "missing CONTAINS 'x'", "count CONTAINS 3", "codes CONTAINS 'x'",
            "error = 'invalid_grant'", "error BEGINSWITH 'i'", "count IN {}", "missing IN {'x'}",
            "count = 3 AND count = 4", "NOT count = 3", "FALSEPREDICATE", "'x' IN missing",
            "(count = 3 OR count = 4) AND count = 5", "NOT (count = 3 OR count = 4)",
            "suberror ENDSWITH 'invalid'", "'longer than the text is' IN error.code",
            "name = 'Gro\u{308}ße'", "errors.code CONTAINS 3", "errors.code = 1",
            "errors.other CONTAINS 1", "codes.code CONTAINS 50126",
        ])
    func holdsNot(_ text: String) throws {
        #expect(try !ResponsePredicate(text).holds(for: Self.body))
    }

    @Test(
        "What is no predicate",
        arguments: [
            "", " ", "count", "count =", "= 3", "count = 3 AND", "AND", "(count = 3", "count = 3)",
            "count = 3 count = 4", "count = 'x", "count = 3 = 4", "count = {1, 2", "count IN {1 2}",
            "count IN {other}", "count = [d]", "count =[d] 3", "NOT", "()", "a..b = 1", ".a = 1",
            "a. = 1", "count = --3", "count = 1.2.3", "count = 99999999999999999999",
            "count = @name",
            "%K = 1", "$x = 1", "a-b = 1", "count = 'a\\x'", "count = 'a\\", "name = Größe",
            "\u{0} = 1", "SELF. = 1", "SELF..count = 3",
        ])
    func malformed(_ text: String) {
        #expect(throws: ResponsePredicateError.self) { try ResponsePredicate(text) }
    }

    @Test(
        "Parts of the language that are left out say so",
        arguments: [
            "name LIKE 'a*'", "name MATCHES '.*'", "count BETWEEN {1, 3}", "ANY codes = 1",
            "SELF = 1", "FUNCTION(1, 'x') = 1",
        ])
    func unsupported(_ text: String) {
        do {
            _ = try ResponsePredicate(text)
            Issue.record("it was read")
        } catch {
            guard case .unsupported = error else {
                Issue.record("\(error)")
                return
            }
        }
    }

    @Test("Bounds: length, and depth of parentheses and negations")
    func bounds() throws {
        let long = "count = '" + String(repeating: "x", count: 4096) + "'"
        #expect(throws: ResponsePredicateError.tooLong) { try ResponsePredicate(long) }
        let nested = { (count: Int) in
            String(repeating: "(", count: count) + "count = 3"
                + String(repeating: ")", count: count)
        }
        #expect(try ResponsePredicate(nested(31)).holds(for: Self.body))
        #expect(throws: ResponsePredicateError.tooDeep) { try ResponsePredicate(nested(32)) }
        #expect(throws: ResponsePredicateError.tooDeep) { try ResponsePredicate(nested(1500)) }
        let negated = String(repeating: "!", count: 2000) + "count = 3"
        #expect(throws: ResponsePredicateError.tooDeep) { try ResponsePredicate(negated) }
        // Side by side is no depth.
        let wide = Array(repeating: "(count = 3)", count: 200).joined(separator: " AND ")
        #expect(try ResponsePredicate(wide).holds(for: Self.body))
    }

    @Test("Characters in any order are parsed or refused")
    func noise() {
        let random = SeededRandom(seed: 9)
        let words = [
            "a", "b.c", "=", "!=", "<", "(", ")", "{", "}", ",", "'x'", "1", "AND", "OR", "NOT",
            "IN",
            "TRUE", "NULL", "[c]", "!", "\\", "'", "é",
        ]
        for _ in 0..<3000 {
            let text = (0..<Int(random.next() % 12)).map { _ in
                words[Int(random.next() % UInt64(words.count))]
            }.joined(separator: " ")
            _ = (try? ResponsePredicate(text))?.holds(for: Self.body)
        }
    }

    @Test("Without a predicate 401 alone is a wrong credential")
    func plainFailures() {
        for (status, expected) in [
            (401, LoginError.wrongCredential), (400, .later), (403, .later), (500, .later),
            (503, .later), (302, .later),
        ] {
            #expect(LoginError(status: status, body: [], predicate: nil) == expected)
        }
    }

    @Test("With a predicate the body decides, for 400 and 401")
    func predicatedFailures() throws {
        let predicate = try ResponsePredicate("suberror = 'invalid_password'")
        let wrong = Self.body.bytes
        for (status, body, expected) in [
            (400, wrong, LoginError.wrongCredential), (401, wrong, .wrongCredential),
            (403, wrong, .later), (500, wrong, .later), (401, [], .later),
            (401, Array("{}".utf8), .later), (400, Array("not JSON".utf8), .later),
        ] {
            #expect(LoginError(status: status, body: body, predicate: predicate) == expected)
        }
    }
}
