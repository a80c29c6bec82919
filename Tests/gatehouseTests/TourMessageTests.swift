// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import Testing

@testable import gatehouse

@Suite struct TourMessageTests {
    private func shown(_ text: String) -> String { TourMessage.shown(Array(text.utf8)) }

    @Test("JSON and forms are shown member by member")
    func members() {
        #expect(
            shown(#"{"method":"pin","left":4,"of":["a","b"]}"#)
                == "method: pin, left: 4, of: [a, b]")
        #expect(
            shown("grant_type=refresh_token&scope=openid%20profile")
                == "grant_type: refresh_token, scope: openid profile")
        #expect(shown("") == "")
    }

    @Test(
        "A signed value or a picture is never displayed completely",
        arguments: [
            #"{"token":"VALUE"}"#, #"{"keys":[{"x":"VALUE"}]}"#, "nonce=VALUE", "VALUE=1", "VALUE",
            "a=b&VALUE",
        ])
    func secrets(_ frame: String) {
        for secret in [
            "Q9fJ2mT7wZxL0aKbRcYdEg", "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhbm5hIn0.c2lnbmF0dXJlMTIz",
        ] {
            let text = shown(frame.replacing("VALUE", with: secret))
            #expect(!text.contains(secret))
            #expect(text.contains("\(secret.prefix(12))… (\(secret.count) bytes)"))
        }
    }

    @Test(
        "Names of people, methods and registrations are shown",
        arguments: [
            "anna", "urn:gatehouse:grant-type:passkey", "01890a5d-ac96-774b-bcce-b302099a8057",
            "http://localhost:41234/api/registration",
        ])
    func names(_ name: String) { #expect(TourMessage.cut(name) == name) }

    @Test("A sentence is shown, a long text is not")
    func sentences() {
        let sentence = "Nobody of this project is registered with that token."
        #expect(TourMessage.cut(sentence) == sentence)
        #expect(TourMessage.cut(String(repeating: "word ", count: 30)).contains("(150 bytes)"))
    }

    @Test("Nothing that a terminal would obey")
    func controls() { #expect(!TourMessage.cut("a\u{1B}[2Jb").contains("\u{1B}")) }

    @Test(
        "Commands are shown as a shell reads them",
        arguments: [
            ("notes", "notes"), ("buy milk", "'buy milk'"), ("", "''"), ("it's", #"'it'\''s'"#),
            ("https://accounts.example", "https://accounts.example"), ("$PWD", "'$PWD'"),
        ])
    func quoted(_ word: String, _ shown: String) { #expect(TourProgram.quoted(word) == shown) }
}
