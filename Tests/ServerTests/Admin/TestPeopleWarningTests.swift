// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import ProviderCore
import Storage
import Support
import Testing

/// An administrator who makes a project a production one first sees how many people of test keys
/// that locks out.
@Suite struct TestPeopleWarningTests {
    private func addTestPeople(
        _ count: Int, to project: Project, in store: any ProviderStore, at now: Timestamp
    ) async throws {
        let random = SystemRandomSource()
        for number in 0..<count {
            let person = Person(
                id: Identifier(now: now, random: random), project: project.id,
                username: "suite-\(number)", realm: IssuerKey.testRealm, createdAt: now,
                origin: "testKey")
            #expect(try await store.people.create(person, with: []) == .created)
        }
    }

    @Test("A plan and an apply say it, where it is so, and once")
    func plan() async throws {
        let house = try await AdminHouse()
        let development: JSONValue = ["environment": "development"]
        #expect(try await house.call(.put, "/projects/qa", body: development).status == 201)
        let qa = try #require(try await house.provider.store.projects.project(named: "qa"))
        func warnings(_ act: String, _ members: JSONObject) async throws -> [String] {
            var project = members
            project["name"] = "qa"
            let answer = try await house.call(
                .post, "/state/\(act)", body: ["projects": [.object(project)]])
            #expect(answer.status == 200)
            return answer.body["changes"]?.array?.first?["warnings"]?.strings ?? []
        }
        func members(_ json: JSONValue) -> JSONObject { json.object ?? JSONObject() }
        let production = members(["environment": "production"])
        #expect(try await warnings("plan", production).isEmpty)
        try await addTestPeople(
            2, to: qa, in: house.provider.store, at: house.provider.clock.now)
        #expect(try await warnings("plan", production).first?.hasPrefix("2 people of test") == true)
        #expect(try await warnings("plan", members(["environment": "development"])).isEmpty)
        let believed = members([
            "environment": "production", "registration": ["test_keys_in_production": true],
        ])
        #expect(try await warnings("plan", believed).isEmpty)
        #expect(try await house.call(.get, "/projects/qa").body["test_people"] == 2)
        #expect(try await warnings("apply", production).count == 1)
        #expect(try await warnings("apply", production).isEmpty)
    }

    @Test("The console displays it next to the setting, and nothing without test people")
    func console() async throws {
        let house = try await ConsoleHouse()
        var olga = try await house.administrator(.projectAdministrator, in: house.qa)
        let page = "/console/projects/qa/settings"
        #expect(try await !olga.get(page).text.contains("the tokens of their apps become invalid"))
        try await addTestPeople(
            3, to: house.qa, in: house.store, at: house.pages.clock.now)
        let text = try await olga.get(page).text
        #expect(
            text.contains("Test accounts")
                && text.contains("the tokens of their apps become invalid"))
        #expect(text.contains(">3<"))
    }
}
