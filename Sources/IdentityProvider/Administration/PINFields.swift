// SPDX-License-Identifier: Apache-2.0
import OAuth
import PIN
import Storage

/// The keys of `registration.pin`: rules for PINs of app installations.
enum PINFields {
    static let rules: [RecordField<PINRules>] = [
        .text(
            "use", .impersonating, \.use,
            rule: TextRules.oneOf(PINRules.Use.allCases.map(\.rawValue))),
        .number("length", .impersonating, \.length, in: range(PINPolicy.lengths)),
        .number(
            "maximum_repeats", .impersonating, \.maximumRepeats,
            in: 1...Int64(PINPolicy.lengths.upperBound)),
        .flag("allows_sequences", .impersonating, \.allowsSequences),
        .list("blocked", .impersonating, \.blocked),
        .number("attempts", .impersonating, \.attempts, in: range(AttemptLimit.range)),
        .list("implicit_scopes", .impersonating, \.implicitScopes, rule: implicitScope),
    ]

    /// One scope; none by which somebody stays signed in, or manages what is registered.
    private static let implicitScope: TextRule = { text in
        guard let scope = ScopeSet(text), scope.values.count == 1 else {
            return StateComplaint(.notOneScope)
        }
        return ["offline_access", "registration"].contains(text)
            ? StateComplaint(.scopeNeedsPIN) : nil
    }

    /// What single keys cannot tell: do they go together?
    static let complaint: @Sendable (PINRules) -> KeyComplaint? = { rules in
        do throws(PINPolicy.Defect) {
            _ = try rules.policy()
            return nil
        } catch {
            switch error {
            case .lengthOutOfRange: return ("length", StateComplaint(.outOfRange))
            case .repeatsOutOfRange:
                return ("maximum_repeats", StateComplaint(.tooManyRepeats))
            case .blockedUnusable(let pin):
                let values: [String: StateComplaint.Value] = [
                    "pin": .text(pin), "length": "\(rules.length)",
                ]
                return ("blocked", StateComplaint(.notBlockedPIN, values))
            case .tooManyBlocked:
                let most = PINPolicy.greatestBlockedCount
                return ("blocked", StateComplaint(.tooManyElements, ["most": "\(most)"]))
            }
        }
    }

    private static func range(_ range: ClosedRange<Int>) -> ClosedRange<Int64> {
        Int64(range.lowerBound)...Int64(range.upperBound)
    }
}
