// SPDX-License-Identifier: Apache-2.0
import JOSE
import Storage

/// The keys of a project itself.
enum ProjectFields {
    static let theme: [RecordField<Theme>] = [
        .text("display_name", \.displayName),
        .text("logo", \.logo, rule: TextRules.image),
        .text("accent", \.accent, rule: TextRules.colour),
        .text("background", \.background, rule: TextRules.colour),
    ]

    private static let year: Int64 = 366 * 86400

    /// Life times are in seconds.
    static let policy: [RecordField<ProjectPolicy>] = [
        .seconds("code_lifetime", \.codeLifetime, in: 5...600),
        .seconds("access_token_lifetime", \.accessTokenLifetime, in: 10...86400),
        .seconds("id_token_lifetime", \.idTokenLifetime, in: 10...86400),
        .seconds("refresh_token_idle_lifetime", \.refreshTokenIdleLifetime, in: 60...(5 * year)),
        .seconds("refresh_token_lifetime", \.refreshTokenLifetime, in: 60...(5 * year)),
        .seconds("refresh_grace", \.refreshGrace, in: 0...300),
        .seconds("session_lifetime", \.sessionLifetime, in: 60...year),
        .seconds("session_idle_lifetime", \.sessionIdleLifetime, in: 60...year),
        .seconds("device_code_lifetime", \.deviceCodeLifetime, in: 60...3600),
        .seconds("device_poll_interval", \.devicePollInterval, in: 1...60),
        .flag("self_registration", \.selfRegistration),
    ]

    static let project: [RecordField<Project>] = [
        RecordField(name: "environment") {
            .string($0.environment.rawValue)
        } write: {
            guard let value = $0.string.flatMap(Project.Environment.init) else {
                return StateComplaint(.notEnvironment)
            }
            $1.environment = value
            return nil
        }
    ]
}
