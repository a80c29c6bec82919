// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import JOSE
import Primitives
import Testing

@testable import gatehouse

@Suite("What the commands for people print")
struct PeopleCommandTests {
    private static let link: JSONValue = [
        "url": "https://a.example/invitation?token=i-1", "expires_at": "2026-02-01T00:00:00.000Z",
    ]

    private func notes(_ members: [(String, JSONValue)]) -> [String] {
        var answer = Self.link.object ?? JSONObject()
        for (name, value) in members { answer[name] = value }
        return AdminInviteCommand.notes(.object(answer), "bea")
    }

    @Test("An invitation says that its mail failed, and what to do")
    func mailFailed() throws {
        let note = try #require(notes([("not_mailed", "mail_failed")]).first)
        #expect(note.hasPrefix("the mail failed"))
        #expect(note.contains("Give the person the link above"))
        #expect(note.contains("gatehouse admin people invite bea"))
    }

    @Test("An invitation without a mail server or an address says so")
    func notMailed() {
        #expect(notes([("not_mailed", "no_mail_server")])[0].contains("no mail server"))
        #expect(notes([("not_mailed", "no_address")])[0].contains("no e-mail address"))
        #expect(notes([]) == ["valid until 2026-02-01T00:00:00.000Z, once"])
        #expect(
            notes([("mailed_to", "bea@example.com")]) == [
                "mailed to bea@example.com", "valid until 2026-02-01T00:00:00.000Z, once",
            ])
    }

    @Test("A password that the command made is printed, alone or in the JSON")
    func generated() {
        let answer: JSONValue = ["changes": []]
        let secret = Secret("abcde-fghjk")
        func report(_ generated: Secret?, json: Bool) -> String {
            AdminSetPasswordCommand.report(answer, generated: generated, json: json)
        }
        #expect(report(secret, json: false) == "abcde-fghjk")
        #expect(report(secret, json: true).contains(#""password":"abcde-fghjk""#))
        for json in [false, true] { #expect(!report(nil, json: json).contains("abcde")) }
    }

    @Test("A password is given in one way")
    func oneSource() {
        #expect(throws: (any Error).self) {
            try Gatehouse.parseAsRoot([
                "admin", "people", "set-password", "a", "--generate", "--password-file", "x",
            ])
        }
    }
}
