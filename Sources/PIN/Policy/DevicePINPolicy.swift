// SPDX-License-Identifier: Apache-2.0

/// What a project asks of a new PIN. The server hands it out; the device alone can apply it, for
/// the PIN never leaves it.
///
/// A PIN that is entered to sign in is not judged: a policy that became stricter locks nobody out.
package struct DevicePINPolicy: Sendable, Equatable {
    /// Lengths that a project may ask for.
    package static let lengths = 5...32
    /// Longest list of blocked PINs: a thousand of the commonest cover what guessing can use.
    package static let greatestBlockedCount = 1_000

    /// Exact number of digits.
    package let length: Int
    /// How many times in a row one digit may stand: 2 lets `11` pass and refuses `111`.
    package let maximumRepeats: Int
    /// Whether all digits may follow one another by one step.
    package let allowsSequences: Bool
    /// PINs that may not be chosen, each of ``length`` digits.
    package let blocked: Set<String>

    /// Why a policy cannot be.
    package enum Defect: Error, Sendable, Equatable {
        case lengthOutOfRange
        case repeatsOutOfRange
        /// A blocked PIN has another length than the policy, or is no ASCII digits.
        case blockedUnusable(String)
        case tooManyBlocked
    }

    package init(
        length: Int = 5, maximumRepeats: Int = 2, allowsSequences: Bool = false,
        blocked: Set<String> = []
    ) throws(Defect) {
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

    /// The policy for another length. Blocked PINs of the old length could never match again and
    /// are dropped.
    package func with(length: Int) throws(Defect) -> DevicePINPolicy {
        try DevicePINPolicy(
            length: length, maximumRepeats: min(maximumRepeats, max(length, 1)),
            allowsSequences: allowsSequences, blocked: length == self.length ? blocked : [])
    }

    /// Accepts the PIN or says why not; the first rule that is broken, in the order below.
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
    /// Step 0 is a repeat, which ``maximumRepeats`` judges.
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
