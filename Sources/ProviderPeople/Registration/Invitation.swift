// SPDX-License-Identifier: Apache-2.0
import JOSE
package import Primitives
package import ProviderCore
package import Storage

/// A link with which a person whose account an administrator created registers the first
/// credential: a passkey or a password. It is invalid for a person who has a credential:
/// ``ReRegistration`` is for them.
///
/// With a mail server the link is only mailed, and not displayed. Its use then verifies the
/// person's email address.
package struct Invitation: OneTimeLink {
    package static let kind = OneTimeLinkKind(
        purpose: .invitation, name: "invitation", prefix: "i-", path: "invitation",
        action: "registration.invited", administration: "admin.person.invitation",
        refusal: .invitationInvalid, notice: { _ in nil })
    package static let defaultLifetime = TimeSpan.days(7)
    /// In seconds: five minutes to thirty days.
    package static let lifetimes: ClosedRange<Int64> = 300...2_592_000

    package let context: CeremonyContext

    package init(_ context: CeremonyContext) { self.context = context }

    package struct Sent: Sendable, Equatable {
        package let expiresAt: Timestamp
        /// The address that the link was mailed to.
        package let address: String?
        /// The link for the administrator to pass on, if it was not mailed.
        package let url: String?
        /// The reason if the link was to be mailed and was not.
        package var notMailed: NotMailed?
    }

    package enum NotMailed: String, Sendable {
        case noMailServer = "no_mail_server"
        case noAddress = "no_address"
        /// The mail server did not accept the message.
        case mailFailed = "mail_failed"
    }

    /// Invites a person, and replaces an earlier invitation. Returns `nil` if the person is
    /// disabled or has a credential.
    ///
    /// - Parameter byMail: whether to mail the link. If that is not possible, the result contains
    ///   the link.
    package func send(
        to person: Person, lifetime: TimeSpan, byMail: Bool
    ) async throws -> Sent? {
        let address = byMail && context.provider.mail != nil ? person.claims.email : nil
        let end = context.now + lifetime
        var url = try await issue(person, until: end, mailedTo: address)
        guard let link = url else { return nil }
        if let address {
            let isMailed = await Mailer(context: context).deliver(
                .invitation(url: link, until: end), to: person, at: address)
            // A displayed link does not verify the email address, so a new link is issued.
            url = isMailed ? nil : try await issue(person, until: end, mailedTo: nil)
            if !isMailed, url == nil { return nil }
        }
        let sent = Sent(
            expiresAt: end, address: url == nil ? address : nil, url: url,
            notMailed: byMail && url != nil ? reason(address) : nil)
        try await record("sent", person.id, Self.details(of: sent))
        return sent
    }

    /// The action `sent` includes links for the administrator to pass on.
    private static func details(of sent: Sent) -> JSONObject {
        var details = JSONObject()
        details["expires_at"] = .string(sent.expiresAt.rfc3339)
        details["mailed"] = .bool(sent.address != nil)
        details["mailed_to"] = sent.address.map(JSONValue.string)
        details["not_mailed"] = sent.notMailed.map { .string($0.rawValue) }
        return details
    }

    private func reason(_ address: String?) -> NotMailed {
        guard context.provider.mail != nil else { return .noMailServer }
        return address == nil ? .noAddress : .mailFailed
    }

    private func issue(
        _ person: Person, until end: Timestamp, mailedTo address: String?
    ) async throws -> String? {
        var details = JSONObject()
        details["address"] = address.map(JSONValue.string)
        let (link, url) = try await make(for: person, until: end, adding: details)
        return try await context.store.oneTimeLinks.invite(person.id, by: link) ? url : nil
    }

    /// Withdraws the invitation. Returns `false` if there was none.
    package func withdraw(from person: Person) async throws -> Bool {
        guard
            try await context.store.oneTimeLinks.withdrawInvitation(
                of: person.id, hash: place(person.id), in: context.project)
        else { return false }
        try await record("withdrawn", person.id)
        return true
    }

    package func admits(_ person: Person) async throws -> Bool {
        try await context.store.credentials.credentials(of: person.id).isEmpty
    }

    package func consume(
        _ link: OpenLink, for credential: Credential
    ) async throws -> LinkRedemptionOutcome {
        try await context.store.oneTimeLinks.accept(
            link.link, with: credential, confirming: link.payload["address"]?.string,
            now: context.now)
    }
}
