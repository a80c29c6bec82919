// SPDX-License-Identifier: Apache-2.0
import ProviderAdministration

extension ConsoleRulesPage {
    /// The policy for creating accounts, and for the sign-in of administrators.
    static let registration = ConsoleRulesPage(
        part: "registration", see: .seeTokenPolicy, change: .changeTokenPolicy,
        settings: ConsoleSettings.forms(of: .tokens, ["registration", "administrators"]))

    /// The lifetimes of codes, tokens and sessions.
    static let tokenPolicy = ConsoleRulesPage(
        part: "token-policy", see: .seeTokenPolicy, change: .changeTokenPolicy,
        settings: ConsoleSettings.forms(of: .tokens, ["tokens"]))

    /// Passkeys and security keys.
    static let webauthnPolicy = ConsoleRulesPage(
        part: "webauthn", see: .seeWebAuthnPolicy, change: .changeWebAuthnPolicy, isGrave: true,
        settings: ConsoleSettings.forms(of: .webauthn))

    /// Devices that people sign in on.
    static let platformSSOPolicy = ConsoleRulesPage(
        part: "platform-sso", see: .seePlatformSSOPolicy, change: .changePlatformSSOPolicy,
        isGrave: true, settings: ConsoleSettings.forms(of: .platformSSO))

    /// PINs of app installations.
    static let pinPolicy = ConsoleRulesPage(
        part: "pin-policy", see: .seePINPolicy, change: .changePINPolicy,
        settings: ConsoleSettings.forms(of: .pin))

    /// Approval requests of clients.
    static let approvals = ConsoleRulesPage(
        part: "approvals", see: .seeApprovalPolicy, change: .changeApprovalPolicy, isGrave: true,
        settings: ConsoleSettings.forms(of: .approvals))
}
