// SPDX-License-Identifier: Apache-2.0

/// Passwords that are drawn rather than thought of: repetitions, runs and dates.
enum PasswordPatterns {
    /// Lower case, as far as one scalar maps to one scalar.
    static func fold(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
        scalars.map { scalar in
            let lower = scalar.properties.lowercaseMapping.unicodeScalars
            return lower.count == 1 ? lower.first ?? scalar : scalar
        }
    }

    /// Whether a piece of up to four characters is repeated from end to end: `aaaaaaaa`,
    /// `abcabcabca`.
    static func isRepetition(_ text: [Unicode.Scalar]) -> Bool {
        (1...4).contains { period in
            text.count >= 2 * period
                && zip(text, text.dropFirst(period)).allSatisfy { $0 == $1 }
        }
    }

    /// Whether all but three characters lie on a few runs (`12345678`, `qwertyuiop1`, `1qaz2wsx`),
    /// or the whole is a date in digits.
    static func isSequence(_ text: [Unicode.Scalar]) -> Bool {
        if isDate(text) { return true }
        var position = 0
        var loose = 0
        var pieces = 0
        while position < text.count {
            let run = longestRun(text[position...])
            if run >= 3 {
                position += run
                pieces += 1
            } else {
                position += 1
                loose += 1
            }
        }
        return loose <= 3 && pieces <= max(2, text.count / 4)
    }

    /// Returns the number of characters from the start of `text` that follow one of the runs, up or
    /// down, or repeat.
    private static func longestRun(_ text: ArraySlice<Unicode.Scalar>) -> Int {
        guard let first = text.first else { return 0 }
        var longest = text.prefix { $0 == first }.count
        for run in runs {
            for (index, letter) in run.enumerated() where letter == first {
                let matched = zip(text, run[index...]).prefix { $0 == $1 }.count
                longest = max(longest, matched)
            }
        }
        return longest
    }

    /// Rows and columns of the usual keyboards, the alphabet and the digits; then all backwards.
    private static let runs: [[Unicode.Scalar]] = {
        let forwards = [
            "abcdefghijklmnopqrstuvwxyz", "01234567890123456789",
            "qwertyuiop[]", "asdfghjkl;'", "zxcvbnm,./",
            "qwertzuiopü+", "asdfghjklöä#", "yxcvbnm,.-",
            "azertyuiop", "qsdfghjklm", "wxcvbn",
            "!@#$%^&*()_+", "!\"§$%&/()=?",
            "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p",
            "qazwsxedcrfvtgbyhnujmikolp",
            "1q2w3e4r5t6y7u8i9o0p", "q1w2e3r4t5y6u7i8o9p0",
            "1a2b3c4d5e6f7g8h9i", "a1b2c3d4e5f6g7h8i9",
            "147258369", "789456123", "159357", "741852963",
        ].map { Array($0.unicodeScalars) }
        return forwards + forwards.map { $0.reversed() }
    }()

    /// Eight digits that read as a date of 1900 to 2099, in any of the usual orders.
    private static func isDate(_ text: [Unicode.Scalar]) -> Bool {
        let digits = text.compactMap { scalar in
            ("0"..."9").contains(scalar) ? Int(scalar.value) - 48 : nil
        }
        let separators = text.count - digits.count
        guard digits.count == 8, separators <= 2 else { return false }
        func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + $1 } }
        func isDay(_ month: Int, _ day: Int, _ year: Int) -> Bool {
            (1...12).contains(month) && (1...31).contains(day) && (1900...2099).contains(year)
        }
        return isDay(number(4..<6), number(6..<8), number(0..<4))
            || isDay(number(0..<2), number(2..<4), number(4..<8))
            || isDay(number(2..<4), number(0..<2), number(4..<8))
    }
}
