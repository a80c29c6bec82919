// SPDX-License-Identifier: Apache-2.0
import OAuth
import PIN
package import ProviderSettings
package import Storage

/// The keys of `registration.pin`: the policy for PINs of app installations.
package enum PINFields {
    package static let rules: [RecordField<ProjectPINPolicy>] = [
        .text(
            "use", .impersonating, \.use,
            rule: TextRules.oneOf(ProjectPINPolicy.Use.allCases.map(\.rawValue))),
        .number("length", .impersonating, \.length, in: range(DevicePINPolicy.lengths)),
        .number("attempts", .impersonating, \.attempts, in: range(PINAttemptLimit.range)),
        .number(
            "maximum_repeats", .impersonating, \.maximumRepeats,
            in: 1...Int64(DevicePINPolicy.lengths.upperBound)),
        .flag("allows_sequences", .impersonating, \.allowsSequences),
        .list("blocked", .impersonating, \.blocked),
        .list("implicit_scopes", .impersonating, \.implicitScopes, rule: implicitScope),
    ]

    /// A single scope. Scopes for staying signed in and for managing the account require a PIN.
    private static let implicitScope: TextRule = { text in
        guard let scope = ScopeSet(text), scope.values.count == 1 else {
            return ValidationIssue(.notOneScope)
        }
        return ["offline_access", "registration"].contains(text)
            ? ValidationIssue(.scopeNeedsPIN) : nil
    }

    /// Checks conditions across keys.
    package static let complaint: @Sendable (ProjectPINPolicy) -> CrossFieldRule? = { rules in
        do throws(DevicePINPolicy.ValidationIssue) {
            _ = try rules.policy()
            return nil
        } catch {
            switch error {
            case .lengthOutOfRange: return ("length", ValidationIssue(.outOfRange))
            case .repeatsOutOfRange:
                return ("maximum_repeats", ValidationIssue(.tooManyRepeats))
            case .blockedUnusable(let pin):
                let values: [String: ValidationIssue.Value] = [
                    "pin": .text(pin), "length": "\(rules.length)",
                ]
                return ("blocked", ValidationIssue(.notBlockedPIN, values))
            case .tooManyBlocked:
                let most = DevicePINPolicy.greatestBlockedCount
                return ("blocked", ValidationIssue(.tooManyElements, ["most": "\(most)"]))
            }
        }
    }

    private static func range(_ range: ClosedRange<Int>) -> ClosedRange<Int64> {
        Int64(range.lowerBound)...Int64(range.upperBound)
    }
}
