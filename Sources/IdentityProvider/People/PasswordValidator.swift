// SPDX-License-Identifier: Apache-2.0
import PasswordHashing
import Primitives
import Storage

/// Judges a password that somebody wants to have.
enum PasswordValidator {
    static func judge(
        _ typed: Secret, for person: Person, in context: CeremonyContext
    ) -> Result<Password, CeremonyRefusal> {
        let names = [
            person.username, person.claims.name, person.claims.email,
            context.tenant.project.theme.displayName, "gatehouse",
        ]
        switch PasswordPolicy().judge(typed.revealText(), context: names.compactMap { $0 }) {
        case .accepted(let password): return .success(password)
        case .refused(let refusal):
            let message = "Choose another password: \(words(for: refusal))."
            return .failure(
                CeremonyRefusal(
                    Refusal(refusal.rawValue, message, reason: "password policy"),
                    person: nil))
        }
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
