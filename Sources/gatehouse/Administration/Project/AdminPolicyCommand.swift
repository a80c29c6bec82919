// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import JOSE
import ProviderAdministration

/// Rules of a project that there is one of: for tokens, passkeys, machines, approvals, and what its
/// pages look like.
struct AdminPolicyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy",
        abstract: "Show and change policies: tokens, passkeys, Platform SSO, theme and others.",
        discussion: """
            Examples:

              gatehouse admin policy show tokens
              gatehouse admin policy set tokens access_token_lifetime=600
              gatehouse admin policy set webauthn --file webauthn.yaml
              gatehouse admin policy set theme accent=#1f5f50 logo=null
            """,
        subcommands: [Show.self, Set.self])

    enum Part: String, ExpressibleByArgument, CaseIterable, Sendable {
        case tokens, webauthn
        case platformSSO = "platform-sso"
        case approvals
        case associatedApps = "associated-apps"
        case theme

        var settings: ProjectSettingsGroup {
            switch self {
            case .tokens: .tokens
            case .webauthn: .webauthn
            case .platformSSO: .platformSSO
            case .approvals: .approvals
            case .associatedApps: .associatedApps
            case .theme: .theme
            }
        }

        static let help = ArgumentHelp(
            stringLiteral: allCases.map(\.rawValue).joined(separator: ", ") + ".")
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show the current settings.",
            discussion: "Example: gatehouse admin policy show webauthn")
        @Argument(help: Part.help)
        var part: Part
        @OptionGroup var place: ProjectOptions

        func run() async throws { try await place.show(part.settings.show) }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Change the given settings.",
            discussion: "Example: gatehouse admin policy set tokens access_token_lifetime=600")
        @Argument(help: Part.help)
        var part: Part
        @OptionGroup var settings: SettingsGroup
        @OptionGroup var place: ProjectOptions

        func run() async throws {
            try await place.change(part.settings.put, body: .object(settings.object()))
        }
    }
}
