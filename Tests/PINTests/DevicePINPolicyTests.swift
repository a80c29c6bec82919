// SPDX-License-Identifier: Apache-2.0
import JOSE
import PIN
import Testing

@Suite struct DevicePINPolicyTests {
    private func violation(
        _ pin: String, _ policy: DevicePINPolicy
    ) -> DevicePINPolicyViolation? {
        do throws(DevicePINPolicyViolation) {
            try policy.validate(DevicePIN(pin))
            return nil
        } catch { return error }
    }

    @Test("A PIN is decimal digits, of whatever script")
    func digits() throws {
        for text in ["1234a", "12 34", "-1234", "1２3٤½", "Ⅷ", "12345\u{0}", "²"] {
            #expect(throws: DevicePINPolicyViolation.notDigits) { _ = try DevicePIN(text).length }
        }
        let policy = try DevicePINPolicy(blocked: ["13579", "24681"])
        #expect(violation("٢٤٦٨١", policy) == .blocked)
        #expect(violation("２４６８１", policy) == .blocked)
        #expect(violation("24682", policy) == nil)
    }

    @Test("The length is exact", arguments: ["", "1", "2468", "246813"])
    func length(_ pin: String) throws {
        #expect(violation(pin, try DevicePINPolicy()) == .wrongLength(required: 5))
    }

    @Test(
        "A step that goes through the whole PIN is a sequence",
        arguments: ["12345", "13579", "97531", "54321", "02468", "86420"])
    func sequences(_ pin: String) throws {
        #expect(violation(pin, try DevicePINPolicy()) == .sequence)
        #expect(violation(pin, try DevicePINPolicy(allowsSequences: true)) == nil)
    }

    @Test(
        "What only resembles a sequence is none: broken steps, wrap-around, palindromes",
        arguments: ["12346", "89012", "12321", "11223", "13570"])
    func noSequences(_ pin: String) throws { #expect(violation(pin, try DevicePINPolicy()) == nil) }

    @Test("One digit may occur as often in a row as the policy allows, and anywhere else")
    func repeats() throws {
        #expect(violation("11131", try DevicePINPolicy()) == .tooManyRepeats(maximum: 2))
        #expect(violation("31112", try DevicePINPolicy()) == .tooManyRepeats(maximum: 2))
        #expect(violation("00000", try DevicePINPolicy()) == .tooManyRepeats(maximum: 2))
        #expect(violation("11311", try DevicePINPolicy()) == nil)
        #expect(
            violation("11311", try DevicePINPolicy(maximumRepeats: 1))
                == .tooManyRepeats(maximum: 1))
        #expect(violation("00000", try DevicePINPolicy(maximumRepeats: 5)) == nil)
    }

    @Test("Blocked PINs are refused before anything else is said")
    func blocked() throws {
        let policy = try DevicePINPolicy(blocked: ["12345", "55555"])
        #expect(violation("12345", policy) == .blocked)
        #expect(violation("55555", policy) == .blocked)
        #expect(violation("13579", policy) == .sequence)
    }

    @Test("The list of blocked PINs is dropped when the length changes")
    func blockedOfOldLength() throws {
        let policy = try DevicePINPolicy(maximumRepeats: 5, blocked: ["91827"])
        #expect(try policy.with(length: 5) == policy)
        #expect(try policy.with(length: 6).blocked.isEmpty)
        #expect(throws: DevicePINPolicy.ValidationIssue.lengthOutOfRange) {
            try policy.with(length: 0)
        }
    }

    @Test("A policy that cannot be is refused")
    func defects() {
        for length in [-1, 0, 4, 33] {
            #expect(throws: DevicePINPolicy.ValidationIssue.lengthOutOfRange) {
                try DevicePINPolicy(length: length)
            }
        }
        for repeats in [-1, 0, 6] {
            #expect(throws: DevicePINPolicy.ValidationIssue.repeatsOutOfRange) {
                try DevicePINPolicy(maximumRepeats: repeats)
            }
        }
        for pin in ["1234", "123456", "1234a", "٢٤٦٨١", ""] {
            #expect(throws: DevicePINPolicy.ValidationIssue.blockedUnusable(pin)) {
                try DevicePINPolicy(blocked: [pin])
            }
        }
        let many = Set((10_000...11_000).map(String.init))
        #expect(throws: DevicePINPolicy.ValidationIssue.tooManyBlocked) {
            try DevicePINPolicy(blocked: many)
        }
    }

    @Test("The standard policy leaves 97,184 PINs, as the threat analysis says")
    func count() throws {
        let policy = try DevicePINPolicy()
        let admitted = (0..<100_000).count { number in
            let digits = String(number)
            return violation(String(repeating: "0", count: 5 - digits.count) + digits, policy)
                == nil
        }
        #expect(admitted == 97_184)
    }

    @Test("A policy is read as it was written, and nothing less is")
    func wire() throws {
        let policy = try DevicePINPolicy(
            length: 6, maximumRepeats: 3, allowsSequences: true, blocked: ["123123", "112233"])
        #expect(DevicePINPolicy(policy.json) == policy)
        for name in ["length", "maximum_repeats", "allows_sequences", "blocked"] {
            var object = try #require(policy.json.object)
            for wrong in [nil, JSONValue.integer(-1), .number(5.5), .array([.integer(1)])] {
                object[name] = wrong
                #expect(DevicePINPolicy(.object(object)) == nil)
            }
        }
    }

    @Test("Attempts are limited, to ten at most")
    func limits() throws {
        for count in [Int.min, -1, 0, 11, Int.max] { #expect(PINAttemptLimit(count) == nil) }
        let limit = try #require(PINAttemptLimit(3))
        #expect(PINAttempts(limit: limit, used: 1).remaining == 2)
        // The project has lowered its limit.
        #expect(PINAttempts(limit: limit, used: 7).remaining == 0)
        #expect(PINAttempts(limit: limit, used: -7).used == 0)
    }
}
