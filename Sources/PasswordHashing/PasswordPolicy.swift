// SPDX-License-Identifier: Apache-2.0

/// What may become a password, NIST SP 800-63B-4 section 3.1.1.2.
///
/// Length and a blocklist, and nothing else: no rules of composition, no expiry, no hints. The
/// minimum is 8 characters where another factor may be asked for; NIST wants 15 where the password
/// stands alone, which is the recommendation that pages show.
package struct PasswordPolicy: Sendable, Equatable {
    /// Fewest characters (Unicode scalars after normalisation); never less than 8.
    package let minimumLength: Int
    /// What pages recommend.
    package static let recommendedLength = 15
    /// NIST's floor.
    package static let leastMinimumLength = 8

    package init(minimumLength: Int = leastMinimumLength) {
        self.minimumLength = min(max(minimumLength, Self.leastMinimumLength), 64)
    }

    /// What the policy says of a password that somebody wants.
    package enum Verdict: Sendable, Equatable {
        case accepted(Password)
        case refused(PasswordRefusal)
    }

    /// Judges `typed`. `context` holds what an attacker tries first: the user name, the name, the
    /// e-mail address, the name of the site.
    package func judge(_ typed: String, context: [String] = []) -> Verdict {
        guard !typed.isEmpty else { return .refused(.tooShort) }
        guard let password = Password(typed) else { return .refused(.tooLong) }
        let scalars = password.scalars
        guard scalars.count >= minimumLength else { return .refused(.tooShort) }
        guard !scalars.contains(where: Self.isControl) else { return .refused(.unprintable) }
        let folded = PasswordPatterns.fold(scalars)
        if PasswordPatterns.isRepetition(folded) { return .refused(.repeated) }
        if PasswordPatterns.isSequence(folded) { return .refused(.sequential) }
        if ContextWords(context).explain(folded) { return .refused(.context) }
        if CommonPasswords.contain(folded) { return .refused(.common) }
        return .accepted(password)
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control
    }
}
