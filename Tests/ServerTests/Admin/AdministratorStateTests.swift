// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Storage
import Testing

/// Administrators in state documents.
@Suite struct AdministratorStateTests {
    private let house: AdminHouse

    init() async throws {
        house = try await AdminHouse()
        for name in ["anna", "bea"] {
            _ = try await house.call(.put, "/projects/default/people/\(name)", body: ["name": "N"])
        }
    }

    private func apply(_ administrators: JSONValue) async throws -> AdminHouse.Answer {
        try await house.call(.post, "/state/apply", body: ["administrators": administrators])
    }

    private func places(_ answer: AdminHouse.Answer) -> [String] {
        answer.body["errors"]?.array?.compactMap { $0["path"]?.string } ?? []
    }

    private func roles() async throws -> [JSONValue] {
        try await house.call(.get, "/administrators").body["items"]?.array ?? []
    }

    @Test("roles are given, found unchanged the second time, and exported as they were applied")
    func roundTrip() async throws {
        let wanted: JSONValue = [
            ["username": "anna", "role": "owner"],
            ["username": "bea", "role": "support", "project": "default"],
            ["username": "bea", "role": "auditor"],
        ]
        let first = try await apply(wanted)
        #expect(first.status == 200)
        #expect(
            first.body["changes"]?.array?.map { [$0["kind"], $0["action"], $0["project"]] } == [
                ["administrator", "create", "*"], ["administrator", "create", "default"],
                ["administrator", "create", "*"],
            ])
        let again = try await apply(wanted)
        #expect(again.body["changes"]?.array?.allSatisfy { $0["action"] == "unchanged" } == true)
        let state = try await house.call(.get, "/state").body
        let exported = try #require(state["administrators"]?.array)
        #expect(Set(exported.map(\.text)) == Set((wanted.array ?? []).map(\.text)))
        let plan = try await house.call(.post, "/state/plan", body: state)
        #expect(plan.body["changes"]?.array?.allSatisfy { $0["action"] == "unchanged" } == true)
        let one = try await house.call(.get, "/state?project=default").body
        #expect(one["administrators"] == nil)
        // Nothing is ever removed by a document.
        _ = try await apply([["username": "bea", "role": "developer", "project": "default"]])
        #expect(try await roles().count == 3)
        let events = try await house.call(.get, "/audit?action=admin.role.grant")
        #expect(events.body["items"]?.array?.count == 4)
    }

    @Test("a document may make the person, the project and the role of one in the other")
    func together() async throws {
        let answer = try await house.call(
            .post, "/state/apply",
            body: [
                "projects": [
                    ["name": "qa"], ["name": "default", "users": [["username": "carl"]]],
                ],
                "administrators": [
                    ["username": "carl", "role": "project_administrator", "project": "qa"]
                ],
            ])
        #expect(answer.status == 200)
        #expect(try await roles().map { [$0["username"], $0["project"]] } == [["carl", "qa"]])
    }

    @Test("an owner is replaced in one document; without a successor the role stays")
    func handOver() async throws {
        _ = try await apply([["username": "anna", "role": "owner"]])
        let alone = try await apply([["username": "anna", "role": "auditor"]])
        #expect(alone.status == 422 && places(alone) == ["anna"])
        #expect(try await roles().map { $0["role"] } == ["owner"])
        let handed = try await apply([
            ["username": "anna", "role": "auditor"], ["username": "bea", "role": "owner"],
        ])
        #expect(handed.status == 200)
        #expect(
            try await Set(roles().map(\.text).map { $0.contains("owner") && $0.contains("bea") })
                == [true, false])
    }

    @Test(
        "an entry that makes no sense is refused at its place, and nothing is given",
        arguments: [
            ([["username": "nobody", "role": "support"]], "nobody"),
            ([["username": "anna", "role": "support", "project": "nowhere"]], "anna"),
            ([["username": "anna", "role": "king"]], "administrators[0].role"),
            ([["username": "anna"]], "administrators[0].role"),
            ([["role": "owner"]], "administrators[0].username"),
            (
                [["username": "anna", "role": "owner", "project": "default"]],
                "administrators[0].project"
            ),
            (
                [["username": "anna", "role": "support", "project": 7]],
                "administrators[0].project"
            ),
            (
                [["username": "anna", "role": "support", "surprise": 1]],
                "administrators[0].surprise"
            ),
            (
                [
                    ["username": "anna", "role": "support"],
                    ["username": "Anna", "role": "auditor"],
                ], "administrators[1]"
            ),
            (["anna"], "administrators[0]"), (["username": "anna"], "administrators"),
        ] as [(JSONValue, String)])
    func misfits(_ administrators: JSONValue, _ place: String) async throws {
        let answer = try await apply(administrators)
        #expect(answer.status == 422)
        #expect(places(answer) == [place])
        #expect(try await roles().isEmpty)
    }
}
