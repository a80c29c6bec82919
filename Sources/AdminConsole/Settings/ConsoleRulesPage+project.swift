// SPDX-License-Identifier: Apache-2.0
import IdentityProvider
import JOSE

extension ConsoleRulesPage {
    /// What a project is, and what its pages look like.
    static let projectSettings = ConsoleRulesPage(
        part: "settings", see: .seeProject, change: .changeProject, isGrave: true,
        settings: [
            ConsoleSettings(
                name: "environment", operation: "Project",
                fields: [
                    ConsoleField(
                        "environment", "consoleEnvironment",
                        .choice(["development", "production"]), hint: "consoleEnvironmentHint")
                ], warning: { testPeople($0, $1) }),
            ConsoleSettings(
                name: "theme", operation: "Theme",
                fields: [
                    ConsoleField("display_name", "consoleDisplayName", .optional),
                    ConsoleField("accent", "consoleAccent", .optional, hint: "consoleColourHint"),
                    ConsoleField(
                        "background", "consoleBackground", .optional, hint: "consoleColourHint"),
                    ConsoleField("logo", "consoleLogo", .optional, hint: "consoleLogoHint"),
                ]),
        ])

    /// Returns the number of people with test keys, if the project refuses test keys in production.
    private static func testPeople(_ console: ConsoleContext, _ rules: JSONValue) -> ConsoleFact? {
        guard let count = rules["test_people"]?.integer, count > 0,
            rules["registration"]?["test_keys_in_production"]?.bool != true
        else { return nil }
        return ConsoleFact(
            console.text("consoleTestPeople"),
            ConsoleCell(String(count), hint: console.text("consoleTestPeopleRefused"), tone: .bad))
    }

    /// What clients may ask people to approve in an app.
    static let approvals = ConsoleRulesPage(
        part: "approvals", see: .seeApprovalPolicy, change: .changeApprovalPolicy, isGrave: true,
        settings: [
            ConsoleSettings(
                name: "approvals", operation: "ApprovalPolicy",
                fields: [
                    ConsoleField("enabled", "consoleApprovalsEnabled", .flag),
                    ConsoleField(
                        "expires_in", "consoleApprovalLife", .number, hint: "consoleInSeconds"),
                    ConsoleField("push_url", "consolePushURL", hint: "consolePushURLHint"),
                    ConsoleField("app_url", "consoleAppURL", hint: "consoleAppURLHint"),
                ])
        ])
}
