// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// One plain text for one person, RFC 5322.
package struct MailMessage: Sendable, Equatable {
    package let from: MailAddress
    package let to: MailAddress
    package let subject: String
    package let text: String
    package let date: Timestamp
    /// `left@right`, unique in the world.
    package let messageID: String

    /// Longest text, in bytes.
    package static let greatestTextLength = 65_536

    package init(
        from: MailAddress, to: MailAddress, subject: String, text: String, date: Timestamp,
        messageID: String
    ) throws(MailError) {
        guard subject.utf8.count <= 256, HeaderText.isPrintable(subject) else {
            throw .invalidHeaderText
        }
        guard text.utf8.count <= Self.greatestTextLength, !text.utf8.contains(0) else {
            throw .invalidText
        }
        guard MailAddress.isAddress(messageID) else { throw .invalidMessageID }
        (self.from, self.to) = (from, to)
        (self.subject, self.text) = (subject, text)
        (self.date, self.messageID) = (date, messageID)
    }

    /// A message whose identifier is made of 128 random bits and the sender's domain.
    package init(
        from: MailAddress, to: MailAddress, subject: String, text: String, date: Timestamp,
        random: some RandomSource
    ) throws(MailError) {
        let domain = from.address.split(separator: "@").last ?? "localhost"
        try self.init(
            from: from, to: to, subject: subject, text: text, date: date,
            messageID: "\(Base64URL.encode(random.bytes(16)))@\(domain)")
    }

    /// The message in its transmitted form: header, empty line, text, every line with CRLF.
    package var wireForm: [UInt8] {
        let header = [
            "Date: \(MailDate.format(date))",
            "From: \(HeaderText.mailbox(from))",
            "To: \(HeaderText.mailbox(to))",
            "Message-ID: <\(messageID)>",
            "Subject: \(HeaderText.encode(subject))",
            "MIME-Version: 1.0",
            "Content-Type: text/plain; charset=utf-8",
            "Content-Transfer-Encoding: quoted-printable",
            // RFC 3834 section 5: automatic responses are not wanted.
            "Auto-Submitted: auto-generated",
        ]
        let lines = header.joined(separator: "\r\n")
        return Array("\(lines)\r\n\r\n".utf8) + QuotedPrintable.encode(text)
    }
}
