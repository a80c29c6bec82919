// SPDX-License-Identifier: Apache-2.0
import Mail
import Primitives

enum Fixture {
    static func message(
        subject: String = "Your code", name: String? = nil, text: String = "Hello"
    ) throws -> MailMessage {
        try MailMessage(
            from: MailAddress(name: "Gatehouse", "gatehouse@example.com"),
            to: MailAddress(name: name, "anna@example.com"), subject: subject, text: text,
            date: Timestamp(seconds: 1_795_230_180), messageID: "m1@example.com")
    }

    static func header(of message: MailMessage) -> [String] {
        let text = String(decoding: message.wireForm, as: UTF8.self)
        let header = text.split(separator: "\r\n\r\n", omittingEmptySubsequences: false)[0]
        return header.split(separator: "\r\n").map(String.init)
    }
}
