// SPDX-License-Identifier: Apache-2.0
import Mail

extension MailAddress {
    /// `login@example.com`, `Example Login <login@example.com>`, or with the name in quotes (RFC 5322 section 3.4).
    init?(mailbox text: String) {
        guard text.hasSuffix(">"), let start = text.lastIndex(of: "<") else {
            guard let address = try? MailAddress(text) else { return nil }
            self = address
            return
        }
        var name = text[..<start].drop { $0 == " " }
        while name.last == " " { name.removeLast() }
        if name.count > 1, name.hasPrefix("\""), name.hasSuffix("\"") {
            name = name.dropFirst().dropLast()
        }
        let address = text[text.index(after: start)...].dropLast()
        guard !name.contains(where: { "\"<>\\".contains($0) }),
            let mailbox = try? MailAddress(name: String(name), String(address))
        else { return nil }
        self = mailbox
    }
}
