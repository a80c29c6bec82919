// SPDX-License-Identifier: Apache-2.0
import PasswordHashing
import Testing

@Suite("The password policy (NIST SP 800-63B-4)")
struct PasswordPolicyTests {
    static let context = ["anna", "Anna Johnson", "anna.johnson@example.com", "Nordwind"]

    private func refusal(_ typed: String, _ policy: PasswordPolicy = .init()) -> PasswordRefusal? {
        guard case .refused(let refusal) = policy.validate(typed, context: Self.context) else {
            return nil
        }
        return refusal
    }

    @Test(
        "An uncommon password is accepted",
        arguments: [
            "correct horse battery staple", "nine purple giraffes", "zebra-lamp-cloud-9",
            "\u{5BC6}\u{7801}\u{5F88}\u{96BE}\u{731C}\u{5230}\u{7684}\u{554A}", "k7#Vq!2mWz",
            "    spaces count    ", "Gr\u{FC}ne Tr\u{E4}ume um 7", "anna likes long walks",
            "tr0mb0ne-lamp",
        ])
    func accepts(typed: String) { #expect(refusal(typed) == nil) }

    @Test(
        "Fewer than eight characters are refused", arguments: ["", "k7#Vq!2", "\u{1F511}\u{1F512}"])
    func refusesShort(typed: String) { #expect(refusal(typed) == .tooShort) }

    @Test("A character with a separate accent counts once")
    func countsNormalised() {
        #expect(refusal("kva\u{308}zmu\u{308}") == .tooShort)
        #expect(refusal("kva\u{308}zmu\u{308}rp") == nil)
    }

    @Test("The operator may ask for more characters, never for fewer than eight")
    func minimum() {
        #expect(refusal("k7#Vq!2mWz", PasswordPolicy(minimumLength: 15)) == .tooShort)
        #expect(PasswordPolicy(minimumLength: 1).minimumLength == 8)
        #expect(PasswordPolicy(minimumLength: 9999).minimumLength == 64)
    }

    @Test("64 characters and more are accepted, beyond 1024 bytes refused")
    func longest() {
        let phrase = String(repeating: "nine purple giraffes, ", count: 60)
        #expect(refusal(String(phrase.prefix(64))) == nil)
        #expect(refusal(String(phrase.prefix(1024))) == nil)
        #expect(refusal(String(phrase.prefix(1025))) == .tooLong)
        #expect(refusal(String(repeating: "x", count: 100_000)) == .tooLong)
    }

    @Test("Control characters are refused", arguments: ["purple\u{0}giraffe", "purple\tgiraffe"])
    func refusesControl(typed: String) { #expect(refusal(typed) == .unprintable) }

    @Test(
        "A common password is refused, in every usual disguise",
        arguments: [
            "password", "Password1", "P@ssw0rd", "P@$$w0rd!", "passwort", "Passwort123", "iloveyou",
            "football!!", "Dragon2024", "!!monkey!!", "trustno1", "letmein1!", "Sch4lke04",
            "monkeymonkey", "correcthorsebatterystaple", "Sommer2020", "1234password",
        ])
    func refusesCommon(typed: String) { #expect(refusal(typed) == .common) }

    @Test(
        "The person's own words are refused",
        arguments: [
            "annajohnson", "anna.johnson", "AnnaJohnson1!", "johnson1985", "nosnhojanna",
            "anna.johnson@example.com", "nordwind", "Nordwind2024", "nordwindanna",
        ])
    func refusesContext(typed: String) { #expect(refusal(typed) == .context) }

    @Test(
        "One piece over and over is refused",
        arguments: ["aaaaaaaa", "xyxyxyxy", "abcabcabca", "k7#Vk7#Vk7#V", "........."])
    func refusesRepetition(typed: String) { #expect(refusal(typed) == .repeated) }

    @Test(
        "Runs along alphabet, digits and keyboard are refused, and dates",
        arguments: [
            "12345678", "87654321", "abcdefgh", "qwertyuiop", "QWERTZUIOP", "1qaz2wsx",
            "asdfghjkl1",
            "qwerty12345", "aaaabbbb", "19850412", "12041985", "04-12-1985", "0123456789",
        ])
    func refusesSequences(typed: String) { #expect(refusal(typed) == .sequential) }

    @Test("Every refusal has a distinct stable code")
    func codes() {
        #expect(
            PasswordRefusal.allCases.map(\.rawValue) == [
                "password_too_short", "password_too_long", "password_unprintable",
                "password_common", "password_context", "password_repeated", "password_sequential",
            ])
    }
}
