// SPDX-License-Identifier: Apache-2.0
import PasswordHashing
package import Primitives
import ProviderCore
package import ProviderSettings
package import Storage

/// The policy of a password that a person chooses, or that an administrator sets for them.
package enum PasswordValidator {
    static func validate(
        _ typed: Secret, for person: Person, in context: CeremonyContext
    ) -> Result<Password, CeremonyRefusal> {
        switch verdict(on: typed, for: person, in: context.tenant.project) {
        case .accepted(let password): return .success(password)
        case .refused(let refusal):
            let message = "Choose another password: \(words(for: refusal))."
            return .failure(
                CeremonyRefusal(
                    Refusal(refusal.rawValue, message, reason: "password policy"),
                    person: nil))
        }
    }

    private static func verdict(
        on typed: Secret, for person: Person, in project: Project
    ) -> PasswordPolicy.Verdict {
        let names = [
            person.username, person.claims.name, person.claims.email,
            project.theme.displayName, "gatehouse",
        ]
        return PasswordPolicy().validate(typed.revealText(), context: names.compactMap { $0 })
    }

    private static func words(for refusal: PasswordRefusal) -> String {
        switch refusal {
        case .tooShort: "at least \(PasswordPolicy.leastMinimumLength) characters"
        case .tooLong: "at most \(Password.greatestLength) bytes"
        case .unprintable: "without control characters"
        case .common: "this one is known to attackers"
        case .context: "this one is made of names"
        case .repeated: "this one repeats itself"
        case .sequential: "this one is a sequence"
        }
    }
}

extension PasswordValidator {
    /// The rule that a password set by an administrator violates; `nil` if it violates none.
    package static func complaint(
        about typed: Secret, for person: Person, in project: Project
    ) -> ValidationIssue? {
        switch verdict(on: typed, for: person, in: project) {
        case .accepted: nil
        case .refused(.tooShort):
            ValidationIssue(
                .passwordTooShort, ["least": "\(PasswordPolicy.leastMinimumLength)"])
        case .refused(.tooLong):
            ValidationIssue(.notBytes, ["most": "\(Password.greatestLength)"])
        case .refused(.unprintable): ValidationIssue(.passwordUnprintable)
        case .refused(.common): ValidationIssue(.passwordCommon)
        case .refused(.context): ValidationIssue(.passwordContext)
        case .refused(.repeated): ValidationIssue(.passwordRepeated)
        case .refused(.sequential): ValidationIssue(.passwordSequential)
        }
    }
}
