// SPDX-License-Identifier: Apache-2.0
import Mail
import Primitives
import Support
import Testing

@Suite("A mail message")
struct MailMessageTests {
    @Test("The header and the text have their wire form")
    func wireForm() throws {
        let text = String(decoding: try Fixture.message().wireForm, as: UTF8.self)
        #expect(
            text
                == """
                Date: Sat, 21 Nov 2026 03:03:00 +0000
                From: "Gatehouse"
                 <gatehouse@example.com>
                To: anna@example.com
                Message-ID: <m1@example.com>
                Subject: Your code
                MIME-Version: 1.0
                Content-Type: text/plain; charset=utf-8
                Content-Transfer-Encoding: quoted-printable
                Auto-Submitted: auto-generated

                Hello

                """.replacing("\n", with: "\r\n"))
    }

    @Test("A message identifier is made of randomness and the sender's domain")
    func messageID() throws {
        let message = try MailMessage(
            from: MailAddress("a@example.com"), to: MailAddress("b@example.org"), subject: "s",
            text: "t", date: Timestamp(seconds: 0), random: SeededRandom())
        #expect(message.messageID.hasSuffix("@example.com"))
        #expect(message.messageID.count == 22 + 12)
    }

    @Test(
        "Dates are written in UTC, leap days and ends of years included",
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 +0000"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 +0000"),
            (1_798_761_599, "Thu, 31 Dec 2026 23:59:59 +0000"),
            (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 +0000"),
            (-5, "Thu, 01 Jan 1970 00:00:00 +0000"),
        ])
    func date(seconds: Int64, expected: String) throws {
        let message = try MailMessage(
            from: MailAddress("a@example.com"), to: MailAddress("b@example.org"), subject: "s",
            text: "t", date: Timestamp(seconds: seconds), messageID: "m@example.com")
        #expect(Fixture.header(of: message).first == "Date: \(expected)")
    }

    @Test("A subject beyond ASCII becomes encoded words, none longer than a line")
    func encodesSubject() throws {
        let message = try Fixture.message(subject: "Best\u{E4}tigungscode f\u{FC}r Anna")
        #expect(
            Fixture.header(of: message).contains(
                "Subject: =?utf-8?B?QmVzdMOkdGlndW5nc2NvZGUgZsO8ciBBbm5h?="))
        let long = try Fixture.message(subject: String(repeating: "\u{1F511}", count: 60))
        #expect(Fixture.header(of: long).allSatisfy { $0.utf8.count <= 78 })
        let disguised = try Fixture.message(subject: "=?utf-8?Q?x?=")
        #expect(Fixture.header(of: disguised).contains { $0.hasPrefix("Subject: =?utf-8?B?") })
    }

    @Test("A name is quoted or encoded")
    func encodesName() throws {
        let plain = try Fixture.message(name: "Johnson, Anna")
        #expect(Fixture.header(of: plain).contains("To: \"Johnson, Anna\""))
        let foreign = try Fixture.message(name: "J\u{FC}rgen \"X\"")
        #expect(Fixture.header(of: foreign).contains("To: =?utf-8?B?SsO8cmdlbiAiWCI=?="))
    }

    @Test("No line of the text is longer than 76, and no space ends one")
    func quotedPrintable() throws {
        let text = String(repeating: "Gr\u{FC}n = sch\u{F6}n ", count: 40) + "\r\nx \ry\t\n\n"
        let wire = String(decoding: try Fixture.message(text: text).wireForm, as: UTF8.self)
        let lines = wire.split(separator: "\r\n", omittingEmptySubsequences: false)
        #expect(
            lines.allSatisfy { $0.utf8.count <= 76 && !$0.hasSuffix(" ") && !$0.hasSuffix("\t") })
        #expect(wire.hasSuffix("x=20\r\ny=09\r\n\r\n"))
        #expect(!wire.replacing("\r\n", with: "").contains { $0 == "\r" || $0 == "\n" })
    }

    @Test(
        "A subject that could end its line is refused",
        arguments: ["a\r\nBcc: x@example.com", "a\nb", "a\rb", "a\u{0}b", "a\u{2028}b", "a\u{85}b"])
    func refusesInjection(subject: String) {
        #expect(throws: MailError.invalidHeaderText) { try Fixture.message(subject: subject) }
        #expect(throws: MailError.invalidHeaderText) { try Fixture.message(name: subject) }
    }

    @Test("An overlong subject, name or text, and a NUL, are refused")
    func refusesLengths() {
        let long = String(repeating: "x", count: 257)
        #expect(throws: MailError.invalidHeaderText) { try Fixture.message(subject: long) }
        #expect(throws: MailError.invalidHeaderText) { try Fixture.message(name: long) }
        #expect(throws: MailError.invalidText) { try Fixture.message(text: "a\u{0}b") }
        #expect(throws: MailError.invalidText) {
            try Fixture.message(text: String(repeating: "x", count: 65_537))
        }
    }

    @Test(
        "What is no address is refused",
        arguments: [
            "", "@", "a", "a@", "@b", "a@@b", "a b@c", "a@b c", "<a@b>", "a@b>", "a@b\r\nRCPT",
            "a@b\n",
            ".a@b", "a.@b", "a..b@c", "a@.b", "a@b.", "a@b..c", "a@-b", "a@b-", "a@[127.0.0.1]",
            "\"a\"@b", "a@b,c@d", "a@m\u{FC}nchen.example", "j\u{FC}rgen@example.com", "a@b\u{0}",
            String(repeating: "x", count: 65) + "@b", "a@" + String(repeating: "b", count: 64),
            "a@" + String(repeating: "b.", count: 130) + "c",
        ])
    func refusesAddress(text: String) {
        #expect(throws: MailError.invalidAddress) { try MailAddress(text) }
    }

    @Test(
        "What is an address is accepted",
        arguments: [
            "a@b", "anna.johnson+code@mail.example.com", "o'neil@example.com", "a_b@x-y.z1",
        ])
    func acceptsAddress(text: String) throws { #expect(try MailAddress(text).address == text) }
}
