// SPDX-License-Identifier: Apache-2.0
import JOSE
import Storage

/// The keys of a project itself.
enum ProjectFields {
    static let theme: [RecordField<Theme>] = [
        .text("display_name", .ordinary, \.displayName),
        .text("logo", .ordinary, \.logo, rule: TextRules.image),
        .text("accent", .ordinary, \.accent, rule: TextRules.colour),
        .text("background", .ordinary, \.background, rule: TextRules.colour),
    ]

    private static let year: Int64 = 366 * 86400

    /// Lifetimes are in seconds.
    static let policy: [RecordField<ProjectPolicy>] = [
        .seconds("code_lifetime", .ordinary, \.codeLifetime, in: 5...600),
        .seconds("access_token_lifetime", .ordinary, \.accessTokenLifetime, in: 10...86400),
        .seconds("id_token_lifetime", .ordinary, \.idTokenLifetime, in: 10...86400),
        .seconds(
            "refresh_token_idle_lifetime", .ordinary, \.refreshTokenIdleLifetime,
            in: 60...(5 * year)),
        .seconds("refresh_token_lifetime", .ordinary, \.refreshTokenLifetime, in: 60...(5 * year)),
        .seconds("refresh_grace", .ordinary, \.refreshGrace, in: 0...300),
        .seconds("session_lifetime", .ordinary, \.sessionLifetime, in: 60...year),
        .seconds("session_idle_lifetime", .ordinary, \.sessionIdleLifetime, in: 60...year),
        .seconds("device_code_lifetime", .ordinary, \.deviceCodeLifetime, in: 60...3600),
        .seconds("device_poll_interval", .ordinary, \.devicePollInterval, in: 1...60),
        .seconds(
            "username_reuse_delay", .impersonating, \.usernameReuseDelay, in: 0...(5 * year)),
        .flag("self_registration", .ordinary, \.selfRegistration),
        .choice("administrators_need_key", .impersonating, \.administratorsNeedKey),
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
