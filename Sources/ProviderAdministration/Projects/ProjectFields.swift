// SPDX-License-Identifier: Apache-2.0
import JOSE
import ProviderPeople
import ProviderSettings
import Storage

/// The keys of a project itself.
package enum ProjectFields {
    static let theme: [RecordField<Theme>] = [
        .text("display_name", .ordinary, \.displayName),
        .text("accent", .ordinary, \.accent, rule: TextRules.colour)
            .with(\.pattern, TextRules.colourPattern),
        .text("background", .ordinary, \.background, rule: TextRules.colour)
            .with(\.pattern, TextRules.colourPattern),
        .text("logo", .ordinary, \.logo, rule: TextRules.image),
    ]

    private static let year: Int64 = 366 * 86400

    static let policy = sections.flatMap(\.fields)

    /// The sections of the console's pages.
    static let sections = [
        (name: "tokens", fields: lifetimes), (name: "registration", fields: registration),
        (name: "administrators", fields: administrators),
    ]

    /// In seconds.
    private static let lifetimes: [RecordField<ProjectPolicy>] = [
        .seconds("access_token_lifetime", .ordinary, \.accessTokenLifetime, in: 10...86400),
        .seconds("id_token_lifetime", .ordinary, \.idTokenLifetime, in: 10...86400),
        .seconds(
            "refresh_token_idle_lifetime", .ordinary, \.refreshTokenIdleLifetime,
            in: 60...(5 * year)),
        .seconds("refresh_token_lifetime", .ordinary, \.refreshTokenLifetime, in: 60...(5 * year)),
        .seconds("refresh_grace", .ordinary, \.refreshGrace, in: 0...300),
        .seconds("session_lifetime", .ordinary, \.sessionLifetime, in: 60...year),
        .seconds("session_idle_lifetime", .ordinary, \.sessionIdleLifetime, in: 60...year),
        .seconds("code_lifetime", .ordinary, \.codeLifetime, in: 5...600),
        .seconds("device_code_lifetime", .ordinary, \.deviceCodeLifetime, in: 60...3600),
        .seconds("device_poll_interval", .ordinary, \.devicePollInterval, in: 1...60),
    ]

    private static let registration: [RecordField<ProjectPolicy>] = [
        .flag("self_registration", .ordinary, \.selfRegistration),
        .seconds(
            "username_reuse_delay", .impersonating, \.usernameReuseDelay, in: 0...(5 * year)),
    ]

    private static let administrators: [RecordField<ProjectPolicy>] = [
        .choice("administrators_need_key", .impersonating, \.administratorsNeedKey)
            .with(
                \.summary,
                "Of the project default: when the console requires a key of each administrator.")
    ]

    static let project: [RecordField<Project>] = [
        RecordField(
            name: "environment", .impersonating,
            choices: Project.Environment.allCases.map(\.rawValue)
        ) {
            .string($0.environment.rawValue)
        } write: {
            guard let value = $0.string.flatMap(Project.Environment.init) else {
                return ValidationIssue(.notEnvironment)
            }
            $1.environment = value
            return nil
        }
    ]
}
