// SPDX-License-Identifier: Apache-2.0
import ProviderCore
package import ProviderSettings
package import Storage

/// The keys of an entry in `registration.identity_providers`: identity providers of the operator.
package enum CustomProviderFields {
    package static let rules: [RecordField<CustomProviderSettings>] = [
        .text("id", .ordinary, \.id, rule: TextRules.projectName).with(\.isNeeded, true),
        .flag("enabled", .impersonatingWhenOn, \.enabled),
        .text("name", .ordinary, \.name),
        .text("icon", .ordinary, \.icon, rule: icon),
        .text("url", .impersonating, \.url, rule: address).with(\.isNeeded, true),
        .flag("two_step", .impersonating, \.twoStep),
        .list("attributes", .impersonating, \.attributes),
        .number("attempts", .impersonating, \.attempts, in: 1...20),
        .seconds("expires_in", .ordinary, \.expiresIn, in: 30...86_400),
        .seconds("timeout", .ordinary, \.timeout, in: 1...30),
    ]

    package static let complaint: @Sendable (CustomProviderSettings) -> CrossFieldRule? = { rules in
        if rules.id.isEmpty { return ("id", ValidationIssue(.missing)) }
        return rules.url.isEmpty ? ("url", ValidationIssue(.missing)) : nil
    }

    private static let icon: TextRule = { $0.isEmpty ? nil : TextRules.image($0) }

    private static let address: TextRule = { text in
        OutgoingURL(text) == nil
            ? ValidationIssue(.notSecureAddress) : nil
    }
}
