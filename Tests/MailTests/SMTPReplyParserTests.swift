// SPDX-License-Identifier: Apache-2.0
import Mail
import Support
import Testing

@Suite("The SMTP reply parser")
struct SMTPReplyParserTests {
    private func parse(_ text: String) throws -> [SMTPReply] {
        var parser = SMTPReplyParser()
        return try parser.receive(text.utf8)
    }

    @Test("One line, several lines and no text are replies")
    func accepts() throws {
        #expect(try parse("220 hi there\r\n") == [SMTPReply(code: 220, lines: ["hi there"])])
        #expect(
            try parse("250-one\r\n250-\r\n250 SIZE 100\r\n")
                == [SMTPReply(code: 250, lines: ["one", "", "SIZE 100"])])
        #expect(try parse("354\r\n") == [SMTPReply(code: 354, lines: [""])])
    }

    @Test("A reply may come byte by byte")
    func pieces() throws {
        var parser = SMTPReplyParser()
        var replies: [SMTPReply] = []
        for byte in "250-a\r\n250 b\r\n".utf8 { replies += try parser.receive([byte]) }
        #expect(replies == [SMTPReply(code: 250, lines: ["a", "b"])])
        #expect(parser.isEmpty)
        _ = try parser.receive("250".utf8)
        #expect(parser.isEmpty == false)
    }

    @Test(
        "Anything else is refused",
        arguments: [
            "\r\n", "\n", "250 bare\n", "25 x\r\n", "2500 x\r\n", "abc x\r\n", "250_x\r\n",
            "199 x\r\n",
            "600 x\r\n", "250-a\r\n251 b\r\n", "250 a\rb\r\n", "250 a\u{0}b\r\n", " 250 x\r\n",
            "HTTP/1.1 400 Bad Request\r\n", "+50 x\r\n", "\u{0662}50 x\r\n",
            "250 " + String(repeating: "x", count: 1024) + "\r\n",
            String(repeating: "x", count: 1_000_000),
            String(repeating: "250-x\r\n", count: 65),
        ])
    func refuses(text: String) {
        #expect(throws: SMTPError.malformedReply) { try parse(text) }
    }

    @Test("No mutation of a reply makes the parser trap")
    func survivesMutation() {
        let random = SeededRandom(seed: 3)
        let reply = Array("250-localhost\r\n250-SIZE 33554432\r\n250 AUTH PLAIN LOGIN\r\n".utf8)
        for _ in 0..<5000 {
            var bytes = reply
            for _ in 0..<(1 + random.next() % 4) {
                bytes[Int(random.next() % UInt64(bytes.count))] = random.bytes(1)[0]
            }
            var parser = SMTPReplyParser()
            guard let replies = try? parser.receive(bytes) else { continue }
            #expect(replies.allSatisfy { (200...599).contains($0.code) })
        }
    }
}
