// SPDX-License-Identifier: Apache-2.0
import Mail
import Testing

/// Against aiosmtpd, a server that was not written here. Skipped when the Python environment is
/// absent: `Scripts/bootstrap test` makes it.
@Suite(
    "Sending to a real SMTP server",
    .enabled(if: SMTPServerPeer.isInstalled, "needs .venv with aiosmtpd: Scripts/bootstrap test"),
    .timeLimit(.minutes(3)))
struct SMTPTransportTests {
    private func send(
        _ url: (Int) -> String, mode: String, trusts: Bool = true, text: String = "Hello"
    ) async throws -> SMTPServerPeer.Received? {
        // aiosmtpd says 220 to STARTTLS before it listens for TLS: on a busy machine it loses the
        // first bytes of the handshake, and both sides wait. Only that is tried again.
        for _ in 0..<2 {
            do {
                return try await sendOnce(url, mode: mode, trusts: trusts, text: text)
            } catch SMTPError.timeout(let awaited) where awaited != "greeting" { continue }
        }
        return try await sendOnce(url, mode: mode, trusts: trusts, text: text)
    }

    private func sendOnce(
        _ url: (Int) -> String, mode: String, trusts: Bool, text: String
    ) async throws -> SMTPServerPeer.Received? {
        let peer = try await SMTPServerPeer(mode: mode)
        defer { peer.stop() }
        let transport = try SMTPTransport(
            server: SMTPServer(url: url(peer.port)),
            trustedCertificates: trusts ? peer.certificate : nil, connectTimeout: 20, timeout: 20)
        try await transport.send(try Fixture.message(text: text))
        return try await peer.next()
    }

    @Test("A message arrives as it was written, dots and umlauts included")
    func plain() async throws {
        let received = try #require(
            try await send(
                { "smtp://127.0.0.1:\($0)" }, mode: "plain",
                text: ".\n..two\nGr\u{FC}\u{DF}e\n.\nend"))
        #expect(received.from == "gatehouse@example.com")
        #expect(received.to == ["anna@example.com"])
        #expect(received.tls == false)
        #expect(received.content.contains("\r\n\r\n.\r\n..two\r\nGr=C3=BC=C3=9Fe\r\n.\r\nend\r\n"))
    }

    @Test("A server that greets at once is heard: of two hundred messages none is lost")
    func greetings() async throws {
        let peer = try await SMTPServerPeer(mode: "plain")
        defer { peer.stop() }
        // By a name of two addresses, of which one does not answer.
        let transport = try SMTPTransport(
            server: SMTPServer(url: "smtp://localhost:\(peer.port)"), connectTimeout: 20,
            timeout: 20)
        for _ in 0..<200 { try await transport.send(try Fixture.message(text: "Hello")) }
    }

    @Test("STARTTLS is used when it is offered, and TLS is verified by name")
    func startTLS() async throws {
        let received = try #require(
            try await send({ "smtp://localhost:\($0)" }, mode: "starttls"))
        #expect(received.tls)
    }

    @Test("TLS from the first byte works with smtps")
    func implicitTLS() async throws {
        let received = try #require(
            try await send({ "smtps://localhost:\($0)" }, mode: "smtps"))
        #expect(received.content.contains("Subject: Your code"))
    }

    @Test("The user name and password are given under TLS")
    func authenticates() async throws {
        let received = try #require(
            try await send(
                { "smtp://mailer:p%40ss%20w%C3%B6rd@localhost:\($0)" }, mode: "auth"))
        #expect(received.authenticated && received.tls)
    }

    @Test("A wrong password is refused")
    func wrongPassword() async throws {
        await #expect(throws: SMTPError.refused(command: "AUTH", code: 535)) {
            try await send({ "smtp://mailer:wrong@localhost:\($0)" }, mode: "auth")
        }
    }

    @Test("A refused recipient is a refusal with its code")
    func refusedRecipient() async throws {
        let error = await #expect(throws: SMTPError.self) {
            try await send({ "smtp://127.0.0.1:\($0)" }, mode: "no")
        }
        #expect(error == .refused(command: "RCPT", code: 550))
    }

    @Test(
        "Attack 61: a certificate that is not trusted, or for another name, ends the transaction",
        arguments: [
            ("smtps", "smtps://localhost", false), ("smtps", "smtps://127.0.0.1", true),
            ("starttls", "smtp://localhost", false), ("starttls", "smtp://127.0.0.1", true),
        ])
    func refusesCertificate(mode: String, url: String, trusts: Bool) async throws {
        let error = await #expect(throws: SMTPError.self) {
            try await send({ "\(url):\($0)" }, mode: mode, trusts: trusts)
        }
        guard case .connection = error else {
            Issue.record("expected a failed connection, got \(String(describing: error))")
            return
        }
    }

    @Test("A closed port is a failed connection")
    func nobodyListens() async throws {
        let peer = try await SMTPServerPeer(mode: "plain")
        let port = peer.port
        let transport = try SMTPTransport(server: SMTPServer(url: "smtp://127.0.0.1:\(port)"))
        peer.stop()
        // The server goes away when its input ends: its output ends last.
        #expect(try await peer.next() == nil)
        let error = await #expect(throws: SMTPError.self) {
            try await transport.send(try Fixture.message())
        }
        guard case .connection = error else {
            Issue.record("expected a failed connection, got \(String(describing: error))")
            return
        }
    }
}
