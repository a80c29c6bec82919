// SPDX-License-Identifier: Apache-2.0
import ProviderCore
package import ProviderSettings
package import Storage

/// The keys of `registration.approvals`: approval requests of clients in apps.
package enum ApprovalFields {
    package static let rules: [RecordField<ApprovalPolicy>] = [
        .flag("enabled", .ordinary, \.enabled),
        .seconds("expires_in", .ordinary, \.expiresIn, in: 30...3600),
        .text("push_url", .impersonating, \.pushURL, rule: address)
            .with(\.summary, "Empty for none."),
        .text("app_url", .impersonating, \.appURL, rule: link)
            .with(\.summary, "Of QR codes; empty for none."),
    ]

    /// A redirect URI without a query, because the provider appends the approval code as its query.
    private static let link: TextRule = { text in
        if text.isEmpty { return nil }
        return text.contains("?") ? ValidationIssue(.notRedirectURI) : TextRules.redirectURI(text)
    }

    private static let address: TextRule = { text in
        text.isEmpty || OutgoingURL(text) != nil
            ? nil : ValidationIssue(.notSecureAddress)
    }
}
