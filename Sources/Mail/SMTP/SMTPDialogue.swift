// SPDX-License-Identifier: Apache-2.0
import Primitives

/// The client's side of one SMTP transaction, RFC 5321 section 3, as a value: replies are its
/// input, actions its output. ``SMTPHandler`` performs the actions.
package struct SMTPDialogue: Sendable {
    /// The next action.
    package enum Action: Sendable, Equatable {
        /// Send these bytes and wait for the reply.
        case send([UInt8])
        /// Begin TLS, then call ``encrypted()``.
        case startTLS
        /// The message has been taken: send these bytes and close.
        case finish([UInt8])
    }

    private enum Step: String {
        case greeting, hello, startTLS, handshake, authPlain, loginName, loginPassword, loginEnd
        case sender, recipient, data, message, done
    }

    private let server: SMTPServer
    private let message: MailMessage
    private let clientName: String
    private var step = Step.greeting
    private var isEncrypted: Bool

    package init(server: SMTPServer, message: MailMessage, clientName: String = "[127.0.0.1]") {
        self.server = server
        self.message = message
        self.clientName = clientName
        isEncrypted = server.encryption == .implicit
    }

    /// The command of the expected reply, for diagnosis.
    var awaited: String { isEncrypted ? "\(step.rawValue) under TLS" : step.rawValue }

    /// Processes the server's reply.
    package mutating func receive(_ reply: SMTPReply) throws(SMTPError) -> Action {
        switch step {
        case .greeting:
            try expect(reply, 220, "connect")
            return send("EHLO \(clientName)", then: .hello)
        case .hello:
            try expect(reply, 250, "EHLO")
            return try greeted(reply)
        case .startTLS:
            try expect(reply, 220, "STARTTLS")
            step = .handshake
            return .startTLS
        case .authPlain, .loginEnd:
            try expect(reply, 235, "AUTH")
            return sender()
        case .loginName, .loginPassword:
            try expect(reply, 334, "AUTH")
            return login()
        case .sender:
            try expect(reply, 250, "MAIL")
            return send("RCPT TO:<\(message.to.address)>", then: .recipient)
        case .recipient:
            guard reply.code == 251 else {
                try expect(reply, 250, "RCPT")
                return send("DATA", then: .data)
            }
            return send("DATA", then: .data)
        case .data:
            try expect(reply, 354, "DATA")
            step = .message
            return .send(Self.stuffed(message.wireForm))
        case .message:
            try expect(reply, 250, "message")
            step = .done
            return .finish(Array("QUIT\r\n".utf8))
        case .handshake, .done:
            throw .malformedReply
        }
    }

    /// Continues after the handshake: the earlier state is discarded, RFC 3207 section 4.2.
    package mutating func encrypted() -> Action {
        isEncrypted = true
        return send("EHLO \(clientName)", then: .hello)
    }

    /// The reply to EHLO lists the extensions, one keyword a line after the first.
    private mutating func greeted(_ reply: SMTPReply) throws(SMTPError) -> Action {
        let extensions = reply.lines.dropFirst().map { $0.uppercased().split(separator: " ") }
        if !isEncrypted {
            if extensions.contains(where: { $0.first == "STARTTLS" }) {
                return send("STARTTLS", then: .startTLS)
            }
            guard server.encryption == .whenOffered else { throw .encryptionUnavailable }
        }
        guard let credentials = server.credentials else { return sender() }
        let mechanisms = extensions.first { $0.first == "AUTH" }?.dropFirst() ?? []
        if mechanisms.contains("PLAIN") {
            // RFC 4616: no authorization identity, then who, then the password.
            let token =
                [0] + Array(credentials.username.utf8) + [0] + credentials.password.reveal()
            return send("AUTH PLAIN \(Base64.encode(token))", then: .authPlain)
        }
        guard mechanisms.contains("LOGIN") else { throw .authenticationUnavailable }
        return send("AUTH LOGIN", then: .loginName)
    }

    private mutating func login() -> Action {
        guard step == .loginName else {
            return send(
                Base64.encode(server.credentials?.password.reveal() ?? []), then: .loginEnd)
        }
        let name = Array((server.credentials?.username ?? "").utf8)
        return send(Base64.encode(name), then: .loginPassword)
    }

    private mutating func sender() -> Action {
        send("MAIL FROM:<\(message.from.address)>", then: .sender)
    }

    private mutating func send(_ line: String, then next: Step) -> Action {
        step = next
        return .send(Array("\(line)\r\n".utf8))
    }

    private func expect(
        _ reply: SMTPReply, _ code: Int, _ command: String
    ) throws(SMTPError) {
        guard reply.code == code else { throw .refused(command: command, code: reply.code) }
    }

    /// The message with a dot before every line that begins with one, and the dot that ends it,
    /// section 4.5.2. The wire form ends in CRLF already.
    static func stuffed(_ message: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(message.count + 64)
        var isLineStart = true
        for byte in message {
            if isLineStart, byte == UInt8(ascii: ".") { output.append(byte) }
            output.append(byte)
            isLineStart = byte == 0x0A
        }
        return output + Array(".\r\n".utf8)
    }
}
