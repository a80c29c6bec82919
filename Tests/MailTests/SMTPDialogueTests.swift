// SPDX-License-Identifier: Apache-2.0
import Mail
import Testing

@Suite("The SMTP dialogue")
struct SMTPDialogueTests {
    private func dialogue(_ url: String) throws -> SMTPDialogue {
        SMTPDialogue(server: try SMTPServer(url: url), message: try Fixture.message(text: ".x"))
    }

    private func reply(_ code: Int, _ lines: String...) -> SMTPReply {
        SMTPReply(code: code, lines: lines)
    }

    private func text(_ action: SMTPDialogue.Action) -> String {
        switch action {
        case .send(let bytes): String(decoding: bytes, as: UTF8.self)
        case .startTLS: "(TLS)"
        case .finish(let bytes): "(done) " + String(decoding: bytes, as: UTF8.self)
        }
    }

    @Test("A whole transaction with STARTTLS and AUTH PLAIN")
    func transaction() throws {
        var dialogue = try dialogue("smtp://user:secret@mail.example.com")
        #expect(try text(dialogue.receive(reply(220, "hi"))) == "EHLO [127.0.0.1]\r\n")
        let hello = reply(250, "hi", "AUTH PLAIN", "STARTTLS")
        #expect(try text(dialogue.receive(hello)) == "STARTTLS\r\n")
        #expect(try dialogue.receive(reply(220, "go")) == .startTLS)
        #expect(text(dialogue.encrypted()) == "EHLO [127.0.0.1]\r\n")
        #expect(
            try text(dialogue.receive(reply(250, "hi", "AUTH LOGIN PLAIN")))
                == "AUTH PLAIN AHVzZXIAc2VjcmV0\r\n")
        #expect(
            try text(dialogue.receive(reply(235, "ok"))) == "MAIL FROM:<gatehouse@example.com>\r\n")
        #expect(try text(dialogue.receive(reply(250, "ok"))) == "RCPT TO:<anna@example.com>\r\n")
        #expect(try text(dialogue.receive(reply(251, "ok"))) == "DATA\r\n")
        #expect(try text(dialogue.receive(reply(354, "go"))).hasSuffix("\r\n\r\n..x\r\n.\r\n"))
        #expect(try text(dialogue.receive(reply(250, "ok"))) == "(done) QUIT\r\n")
    }

    @Test("AUTH LOGIN gives name and password one after the other")
    func login() throws {
        var dialogue = try dialogue("smtps://user:secret@mail.example.com")
        _ = try dialogue.receive(reply(220, ""))
        #expect(try text(dialogue.receive(reply(250, "hi", "AUTH LOGIN"))) == "AUTH LOGIN\r\n")
        #expect(try text(dialogue.receive(reply(334, "VXNlcm5hbWU6"))) == "dXNlcg==\r\n")
        #expect(try text(dialogue.receive(reply(334, "UGFzc3dvcmQ6"))) == "c2VjcmV0\r\n")
        #expect(try text(dialogue.receive(reply(235, ""))).hasPrefix("MAIL FROM"))
    }

    @Test("Nothing is said to a distant server that offers no STARTTLS")
    func requiresEncryption() throws {
        var dialogue = try dialogue("smtp://mail.example.com")
        _ = try dialogue.receive(reply(220, ""))
        #expect(throws: SMTPError.encryptionUnavailable) {
            try dialogue.receive(reply(250, "hi", "AUTH PLAIN"))
        }
    }

    @Test("Credentials without a mechanism we know are a failure")
    func noMechanism() throws {
        var dialogue = try dialogue("smtps://user:secret@mail.example.com")
        _ = try dialogue.receive(reply(220, ""))
        #expect(throws: SMTPError.authenticationUnavailable) {
            try dialogue.receive(reply(250, "hi", "AUTH GSSAPI"))
        }
    }

    @Test("A refusal at any step ends the transaction with the step's name and the code")
    func refusals() throws {
        let steps: [(String, SMTPReply)] = [
            ("connect", reply(220, "")), ("EHLO", reply(250, "hi")), ("MAIL", reply(250, "")),
            ("RCPT", reply(250, "")), ("DATA", reply(354, "")), ("message", reply(250, "")),
        ]
        for refused in steps.indices {
            var dialogue = try dialogue("smtp://127.0.0.1")
            for (_, reply) in steps[..<refused] { _ = try dialogue.receive(reply) }
            #expect(throws: SMTPError.refused(command: steps[refused].0, code: 421)) {
                try dialogue.receive(reply(421, "closing"))
            }
        }
    }

    @Test("A reply after the end is refused")
    func replyAfterEnd() throws {
        var dialogue = try dialogue("smtp://127.0.0.1")
        for code in [220, 250, 250, 250, 354, 250] { _ = try dialogue.receive(reply(code, "")) }
        #expect(throws: SMTPError.malformedReply) { try dialogue.receive(reply(250, "")) }
    }
}
