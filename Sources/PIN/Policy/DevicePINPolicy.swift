// SPDX-License-Identifier: Apache-2.0

/// A project's requirements for a new PIN. The server publishes them, and the device applies them,
/// because the PIN never leaves it.
///
/// They do not apply to a PIN that is entered to sign in, so a stricter policy does not lock people
/// out.
package struct DevicePINPolicy: Sendable, Equatable {
    /// The lengths that a project may require.
    package static let lengths = 5...32
    /// The maximum number of blocked PINs: a thousand of the most common ones suffice.
    package static let greatestBlockedCount = 1_000

    /// The exact number of digits.
    package let length: Int
    /// The maximum number of consecutive occurrences of a digit: 2 accepts `11` and refuses `111`.
    package let maximumRepeats: Int
    /// Whether all digits may follow one another with one step.
    package let allowsSequences: Bool
    /// The forbidden PINs, each of ``length`` digits.
    package let blocked: Set<String>

    /// The reason why a policy is invalid.
    package enum ValidationIssue: Error, Sendable, Equatable {
        case lengthOutOfRange
        case repeatsOutOfRange
        /// A blocked PIN has another length than the policy, or contains other characters than
        /// ASCII digits.
        case blockedUnusable(String)
        case tooManyBlocked
    }

    package init(
        length: Int = 5, maximumRepeats: Int = 2, allowsSequences: Bool = false,
        blocked: Set<String> = []
    ) throws(ValidationIssue) {
        guard Self.lengths.contains(length) else { throw .lengthOutOfRange }
        guard (1...length).contains(maximumRepeats) else { throw .repeatsOutOfRange }
        guard blocked.count <= Self.greatestBlockedCount else { throw .tooManyBlocked }
        for pin in blocked.sorted() {
            let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
            guard pin.utf8.count == length, pin.utf8.allSatisfy(digits.contains) else {
                throw .blockedUnusable(pin)
            }
        }
        self.length = length
        self.maximumRepeats = maximumRepeats
        self.allowsSequences = allowsSequences
        self.blocked = blocked
    }

    /// Returns the policy for another length. Blocked PINs of the old length could never match, and
    /// are removed.
    package func with(length: Int) throws(ValidationIssue) -> DevicePINPolicy {
        try DevicePINPolicy(
            length: length, maximumRepeats: min(maximumRepeats, max(length, 1)),
            allowsSequences: allowsSequences, blocked: length == self.length ? blocked : [])
    }

    /// Validates the PIN. Throws the first violated rule, in the order below.
    package func validate(_ pin: borrowing DevicePIN) throws(DevicePINPolicyViolation) {
        guard pin.length == length else { throw .wrongLength(required: length) }
        try pin.digits.withBytes { (digits) throws(DevicePINPolicyViolation) in
            if blocked.contains(where: { $0.utf8.elementsEqual(digits) }) { throw .blocked }
            if !allowsSequences, Self.isSequence(digits) { throw .sequence }
            if Self.longestRun(of: digits) > maximumRepeats {
                throw .tooManyRepeats(maximum: maximumRepeats)
            }
        }
    }

    /// Whether the whole PIN is an arithmetic progression: any step, up or down, no wrap-around.
    /// Step 0 is a repeat, to which ``maximumRepeats`` applies.
    private static func isSequence(_ digits: [UInt8]) -> Bool {
        let steps = Set(zip(digits, digits.dropFirst()).map { Int($1) - Int($0) })
        return steps.count == 1 && steps != [0]
    }

    private static func longestRun(of digits: [UInt8]) -> Int {
        var longest = 0
        var run = 0
        var previous: UInt8?
        for digit in digits {
            run = digit == previous ? run + 1 : 1
            previous = digit
            longest = max(longest, run)
        }
        return longest
    }
}
