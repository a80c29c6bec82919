// SPDX-License-Identifier: Apache-2.0
import Primitives
package import ProviderCore
import Storage

/// Notices in the reader's language.
package struct LocalizedNotificationComposer: NotificationComposer {
    let translations: Translations

    package init(_ translations: Translations) { self.translations = translations }

    package func write(_ notice: AccountNotification) -> (subject: String, text: String) {
        let language = translations.choose(notice.languages)
        let (key, extra) = words(for: notice.kind)
        var values = [
            "site": notice.tenant.project.theme.displayName ?? "Gatehouse",
            "name": notice.person.claims.name ?? notice.person.username,
            "issuer": notice.tenant.issuer,
        ]
        values.merge(extra) { $1 }
        // Mails with a code or link omit the closing sentence about actions of another person.
        let isCode = extra["code"] != nil || extra["url"] != nil
        let paragraphs =
            [language.text("mail.hello", values), language.text("mail.\(key).text", values)]
            + (isCode ? [] : [language.text("mail.bye", values)])
        return (
            language.text("mail.\(key).subject", values),
            paragraphs.joined(separator: "\n\n") + "\n"
        )
    }

    private func words(for kind: AccountNotification.Kind) -> (String, [String: String]) {
        switch kind {
        case .passkeyAdded(let label): ("passkeyAdded", ["label": label])
        case .passkeyRemoved(let label): ("passkeyRemoved", ["label": label])
        case .machineRemoved(let label): ("machineRemoved", ["label": label])
        case .passwordChanged: ("passwordChanged", [:])
        case .passwordRemoved: ("passwordRemoved", [:])
        case .recoveryCodesMade: ("recoveryCodesMade", [:])
        case .recoveryCodeUsed: ("recoveryCodeUsed", [:])
        case .keyLost(let label): ("keyLost", ["label": label])
        case .reRegistrationOpened: ("reRegistrationOpened", [:])
        case .invitation(let url, let end):
            ("invitation", ["url": url, "until": "\(CivilTime(end).description.prefix(16)) UTC"])
        case .keyReRegistered(let label): ("keyReRegistered", ["label": label])
        case .providerLinked(let label): ("providerLinked", ["label": label])
        case .providerUnlinked(let label): ("providerUnlinked", ["label": label])
        case .accountRecovered: ("accountRecovered", [:])
        case .approvalAwaited: ("approvalAwaited", [:])
        case .approvalGiven: ("approvalGiven", [:])
        case .emailChanged: ("emailChanged", [:])
        case .verificationCode(let code): ("verificationCode", ["code": code])
        case .recoveryCode(let code): ("recoveryCode", ["code": code])
        }
    }
}
