// SPDX-License-Identifier: Apache-2.0
import Primitives
package import ProviderCore
import ProviderSettings
package import Storage

/// Recovery codes: ten single-use codes of a person.
package enum RecoveryCodes {
    package static let count = 10

    /// 31 characters that are easy to distinguish on paper.
    private static let alphabet = Array("abcdefghjkmnpqrstuvwxyz23456789".utf8)

    /// A code of 10 characters, about 49 bits, as displayed: `abcde-fghjk`.
    static func make(random: any RandomSource) -> String {
        var letters: [UInt8] = []
        while letters.count < 10 {
            // 248 is the largest multiple of 31 in a byte, so all characters are equally likely.
            letters += random.bytes(16).filter { $0 < 248 }.map { alphabet[Int($0 % 31)] }
        }
        let text = String(decoding: letters.prefix(10), as: UTF8.self)
        return "\(text.prefix(5))-\(text.suffix(5))"
    }

    /// The keyed hash of a typed code, bound to its person; `nil` if the text is not a code.
    static func hash(
        _ typed: String, of person: Identifier<Person>, secrets: DerivedKeys
    ) -> [UInt8]? {
        guard typed.utf8.count <= 64 else { return nil }
        let letters = typed.lowercased().utf8.filter { $0 != 0x20 && $0 != UInt8(ascii: "-") }
        guard letters.count == 10, letters.allSatisfy(alphabet.contains) else { return nil }
        return secrets.hash(person.bytes + letters, for: .recoveryCode)
    }
}

/// Signs a person in with a recovery code, and consumes the code.
package struct RecoveryCodeSignIn: SignInCeremony {
    let username: String
    let code: String
    package let replacing: Session?

    package init(username: String, code: String, replacing: Session? = nil) {
        self.username = username
        self.code = code
        self.replacing = replacing
    }

    package var action: String { "sign-in.recovery-code" }

    package func verify(
        _ context: CeremonyContext
    ) async throws -> Result<Person?, CeremonyRefusal> {
        let name = UserName.canonical(username)
        guard let name else { return .success(nil) }
        return .success(try await context.person(calling: name))
    }

    package func prove(
        _ person: Person?, _ context: CeremonyContext
    ) async throws -> Result<VerifiedPerson, CeremonyRefusal> {
        try await GuessBudgets.recoveryCode(
            of: person, named: UserName.canonical(username), in: context
        ).attempt { try await check(person, context) }
    }

    private func check(
        _ person: Person?, _ context: CeremonyContext
    ) async throws -> Result<VerifiedPerson, CeremonyRefusal> {
        // A code for an unknown name causes the same reads of the store.
        let id = person?.id ?? context.newIdentifier()
        guard let hash = RecoveryCodes.hash(code, of: id, secrets: context.provider.secrets) else {
            return .refused(.invalidCredentials, because: "not a code", person: person?.id)
        }
        guard person?.disabled != true else {
            return .refused(.invalidCredentials, because: "disabled", person: person?.id)
        }
        let used = try await context.store.credentials.consumeRecoveryCode(hash: hash, person: id)
        guard let person, used != nil else {
            return .refused(.invalidCredentials, because: "no such code", person: person?.id)
        }
        Mailer(context: context).send(.recoveryCodeUsed, to: person)
        return .success(VerifiedPerson(person: person, factor: .code(at: context.now)))
    }
}
