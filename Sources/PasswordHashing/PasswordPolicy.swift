// SPDX-License-Identifier: Apache-2.0

/// A policy for new passwords, NIST SP 800-63B-4 section 3.1.1.2.
///
/// It consists of a length and a blocklist, without rules of composition, expiry or hints. The
/// minimum is 8 characters if another factor may be required. NIST requires 15 for a password as
/// the only factor, which pages recommend.
package struct PasswordPolicy: Sendable, Equatable {
    /// Fewest characters (Unicode scalars after normalisation); never less than 8.
    package let minimumLength: Int
    /// NIST's minimum.
    package static let leastMinimumLength = 8

    package init(minimumLength: Int = leastMinimumLength) {
        self.minimumLength = min(max(minimumLength, Self.leastMinimumLength), 64)
    }

    /// The result of the policy for a new password.
    package enum Verdict: Sendable, Equatable {
        case accepted(Password)
        case refused(PasswordRefusal)
    }

    /// Validates `typed`. `context` contains the words that an attacker tries first: the username,
    /// the name, the email address, the name of the site.
    package func validate(_ typed: String, context: [String] = []) -> Verdict {
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
