// SPDX-License-Identifier: Apache-2.0
import JOSE
import Testing

@testable import gatehouse

@Suite("A person, printed at a terminal")
struct PersonTextTests {
    private func person(_ members: [(String, JSONValue)]) -> JSONObject {
        JSONObject(members.map { JSONObject.Member(name: $0.0, value: $0.1) })
    }

    @Test("Claims are aligned, one a line")
    func lines() {
        let anna = person([
            ("sub", "s1"), ("email_verified", true), ("groups", ["staff", "admin"]),
        ])
        #expect(
            PersonText.lines(of: anna) == """
                sub             s1
                email_verified  true
                groups          staff, admin
                """)
    }

    @Test("What a terminal would obey is not printed")
    func controls() {
        let evil = person([("name", "\u{1B}[2Jx\u{9B}1m\u{202E}y\r\n"), ("\u{7}", "z")])
        let text = PersonText.lines(of: evil)
        #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
        #expect(!text.contains("\u{9B}") && !text.contains("\u{202E}"))
        #expect(text.split(separator: "\n").count == 2)
        #expect(PersonText.name(of: evil)?.contains("\u{1B}") == false)
    }

    @Test("The name that tells most is shown, and none where there is none")
    func name() {
        #expect(
            PersonText.name(of: person([("sub", "s1"), ("preferred_username", "anna")])) == "anna")
        #expect(PersonText.name(of: person([("preferred_username", ""), ("sub", "s1")])) == "s1")
        #expect(PersonText.name(of: JSONObject()) == nil)
    }
}
