// SPDX-License-Identifier: Apache-2.0
import OAuth
import PIN
import Storage

/// The keys of `registration.pin`: rules for PINs of app installations.
enum PINFields {
    static let rules: [RecordField<PINRules>] = [
        .text("use", \.use, rule: TextRules.oneOf(PINRules.Use.allCases.map(\.rawValue))),
        .number("length", \.length, in: range(PINPolicy.lengths)),
        .number("maximum_repeats", \.maximumRepeats, in: 1...Int64(PINPolicy.lengths.upperBound)),
        .flag("allows_sequences", \.allowsSequences),
        .list("blocked", \.blocked),
        .number("attempts", \.attempts, in: range(AttemptLimit.range)),
        .list("implicit_scopes", \.implicitScopes, rule: implicitScope),
    ]

    /// One scope; none by which somebody stays signed in, or manages what is registered.
    private static let implicitScope: TextRule = { text in
        guard let scope = ScopeSet(text), scope.values.count == 1 else {
            return "must be one scope"
        }
        return ["offline_access", "registration"].contains(text)
            ? "is not given without the PIN" : nil
    }

    /// What single keys cannot tell: do they go together?
    static let complaint: @Sendable (PINRules) -> (key: String, message: String)? = { rules in
        do throws(PINPolicy.Defect) {
            _ = try rules.policy()
            return nil
        } catch {
            switch error {
            case .lengthOutOfRange: return ("length", "is out of range")
            case .repeatsOutOfRange: return ("maximum_repeats", "must be from 1 to the length")
            case .blockedUnusable(let pin):
                return ("blocked", "names \"\(pin)\", which is not \(rules.length) digits")
            case .tooManyBlocked:
                return ("blocked", "has more than \(PINPolicy.greatestBlockedCount) elements")
            }
        }
    }

    private static func range(_ range: ClosedRange<Int>) -> ClosedRange<Int64> {
        Int64(range.lowerBound)...Int64(range.upperBound)
    }
}
