// SPDX-License-Identifier: Apache-2.0
import JOSE
import ProviderAdministration

extension ConsoleRulesPage {
    /// What a project is, and what its pages look like.
    static let projectSettings = ConsoleRulesPage(
        part: "settings", see: .seeProject, change: .changeProject, isGrave: true,
        settings: [
            ConsoleSettings(
                name: "environment", show: .showProject, put: .putProject,
                fields: [
                    ConsoleField(
                        "environment", "consoleSetting.environment",
                        .choice(["development", "production"]))
                ], warning: { testPeople($0, $1) })
        ] + ConsoleSettings.forms(of: .theme))

    /// Returns the number of people with test keys, if the project refuses test keys in production.
    private static func testPeople(_ console: ConsoleContext, _ rules: JSONValue) -> ConsoleFact? {
        guard let count = rules["test_people"]?.integer, count > 0,
            rules["registration"]?["test_keys_in_production"]?.bool != true
        else { return nil }
        return ConsoleFact(
            console.text("consoleTestPeople"),
            ConsoleCell(String(count), hint: console.text("consoleTestPeopleRefused"), tone: .bad))
    }
}
