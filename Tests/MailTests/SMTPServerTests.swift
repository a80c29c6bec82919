// SPDX-License-Identifier: Apache-2.0
import Mail
import Primitives
import Testing

@Suite("The URL of a mail server")
struct SMTPServerTests {
    @Test(
        "Host, port and protection are read",
        arguments: [
            ("smtp://mail.example.com", "mail.example.com", 587, SMTPServer.Encryption.required),
            ("smtps://mail.example.com", "mail.example.com", 465, .implicit),
            ("SMTP://mail.example.com:25/", "mail.example.com", 25, .required),
            ("smtp://localhost:1025", "localhost", 1025, .whenOffered),
            ("smtp://127.0.0.1:1025", "127.0.0.1", 1025, .whenOffered),
            ("smtp://[::1]:1025", "::1", 1025, .whenOffered),
            ("smtp://127.0.0.1.example.com", "127.0.0.1.example.com", 587, .required),
        ])
    func reads(url: String, host: String, port: Int, encryption: SMTPServer.Encryption) throws {
        let server = try SMTPServer(url: url)
        #expect(server.host == host)
        #expect(server.port == port)
        #expect(server.encryption == encryption)
        #expect(server.credentials == nil)
    }

    @Test("User and password are percent-decoded, and the password is never printed")
    func credentials() throws {
        let server = try SMTPServer(url: "smtps://me%40example.com:p%3A%2F@mail.example.com")
        #expect(server.credentials?.username == "me@example.com")
        #expect(server.credentials?.password == Secret("p:/"))
        #expect(!"\(server)".contains("p:/"))
    }

    @Test(
        "Anything else is refused",
        arguments: [
            "", "smtp", "smtp:", "smtp://", "http://mail.example.com", "smtp://:25", "smtp://h:",
            "smtp://h:0", "smtp://h:65536", "smtp://h:+25", "smtp://h:2 5",
            "smtp://h:99999999999999",
            "smtp://user@h", "smtp://:pass@h", "smtp://u:p@v@h", "smtp://u:%4@h", "smtp://u:%zz@h",
            "smtp://u:%0d%0a@h", "smtp://u:%ff@h", "smtp://h/path", "smtp://h?tls=no", "smtp://h#x",
            "smtp://[::1", "smtp://[::1]x", "smtp://h h", "smtp://m\u{FC}nchen.example",
            "smtp://h\r\nx", "smtp://" + String(repeating: "x", count: 254),
        ])
    func refuses(url: String) {
        #expect(throws: SMTPError.invalidURL) { try SMTPServer(url: url) }
    }
}
