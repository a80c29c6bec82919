// SPDX-License-Identifier: Apache-2.0
import Logging
import Mail
package import Storage

/// Sends notifications by email.
package struct Mailer: Sendable {
    let context: CeremonyContext

    package init(context: CeremonyContext) { self.context = context }

    /// Sends a notification to the person's verified address, without waiting for the mail server.
    /// The response time therefore does not reveal whether an email is sent.
    package func send(_ kind: AccountNotification.Kind, to person: Person) {
        guard context.provider.mail != nil, person.claims.emailVerified == true,
            let address = person.claims.email
        else { return }
        Task { _ = await deliver(kind, to: person, at: address) }
    }

    /// Sends a notification and waits for the mail server. Returns `false` if the server did not
    /// accept it.
    package func deliver(
        _ kind: AccountNotification.Kind, to person: Person, at address: String
    ) async -> Bool {
        guard let mail = context.provider.mail else { return false }
        let notice = AccountNotification(
            kind: kind, person: person, tenant: context.tenant, languages: context.facts.languages)
        let (subject, text) = context.writer.write(notice)
        do {
            try await mail.send(
                MailMessage(
                    from: try sender, to: try MailAddress(address),
                    subject: Self.line(subject), text: text, date: context.now,
                    random: context.provider.random))
            return true
        } catch {
            context.provider.log.error(
                "mail failed",
                metadata: ["request_id": "\(context.facts.requestID)", "error": "\(error)"])
            return false
        }
    }

    private var sender: MailAddress {
        get throws {
            if let sender = context.provider.mailSender { return sender }
            let host = SiteOrigin(issuer: context.provider.issuer)?.host ?? "localhost"
            return try MailAddress("no-reply@\(host)")
        }
    }

    /// Shortens a subject to 200 bytes, because names in it can be long.
    private static func line(_ text: String) -> String {
        var short = text
        while short.utf8.count > 200 { short.removeLast() }
        return short
    }
}
