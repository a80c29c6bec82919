// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient
import Support
import Testing

/// What administrators do, in more than one commit.
extension Ceremony {
    static let administration: [Ceremony] = [applying, leaving, sweeping]

    /// A document that changes a bit of everything. Applied by half it is applied in full by the next
    /// time, and then there is nothing left to change.
    private static let applying = Ceremony(
        name: "applying a document", moments: DyingDoor.Moment.allCases
    ) { house in
        {
            let name = house.newName("branch")
            let people: [JSON] = (0..<12).map { ["username": .string("\(name)-\($0)")] }
            let document: JSON = [
                "projects": [
                    [
                        "name": .string(name), "environment": "development",
                        "clients": [
                            DeclaredState.web("one", redirect: "https://one.example/back"),
                            DeclaredState.service("two"),
                        ], "users": .array(people),
                        "entitlement_sets": [
                            ["name": "gold", "entitlements": ["export": true, "seats": 5]]
                        ],
                    ]
                ]
            ]
            return {
                let applied = try await persist { _ in
                    try await house.admin("POST", "/state/apply", document)
                }
                try house.door.disarm()
                #expect(applied.status == 200, "\(applied.text)")
                let left = try await house.admin("POST", "/state/plan", document)
                let changes = try JSON(parsing: left.body)["changes"].array ?? []
                #expect(!changes.isEmpty)
                #expect(changes.allSatisfy { $0["action"] == "unchanged" }, "\(left.text)")
            }
        }
    }

    /// Objects of an administrator remain after their removal.
    private static let leaving = Ceremony(
        name: "an administrator leaves", moments: DyingDoor.Moment.allCases
    ) { house in
        {
            let name = house.newName("olga")
            let (person, role) = ("/projects/default/people/\(name)", "/administrators/\(name)")
            _ = try await house.admin("PUT", person, ["name": "Olga"])
            let granted = try await house.admin(
                "PUT", role, ["role": "project_administrator", "project": "default"])
            #expect(granted.status == 200, "\(granted.text)")
            return {
                let made = try await persist { _ in
                    try await house.admin(
                        "POST", "/projects/default/api-tokens",
                        ["name": .string(name), "role": "developer", "lifetime": 86400])
                }
                let revoked = try await persist { _ in
                    try await house.admin("DELETE", role + "?project=default")
                }
                let removed = try await persist { _ in try await house.admin("DELETE", person) }
                try house.door.disarm()
                #expect([204, 404].contains(revoked.status), "\(revoked.text)")
                #expect([204, 404].contains(removed.status), "\(removed.text)")
                #expect(try await house.admin("GET", person).status == 404)
                let roles = try await house.admin("GET", "/administrators")
                #expect(!roles.text.contains("\"\(name)\""))
                let token = try JSON(parsing: made.body)["token"].string
                let listed = try await house.admin(
                    "GET", "/projects/default/test-keys", bearer: token)
                #expect(listed.status == 200, "\(made.text)")
            }
        }
    }

    /// Test people. Those that were not deleted remain for the next time.
    private static let sweeping = Ceremony(
        name: "sweeping the people of tests", moments: DyingDoor.Moment.allCases
    ) { house in
        {
            var subs: [String] = []
            for _ in 0..<3 { subs.append(try await house.app().profile.userID) }
            let people = subs
            return {
                let swept = try await persist { _ in
                    try await house.admin("POST", "/projects/default/test-keys/sweep", [:])
                }
                try house.door.disarm()
                #expect(swept.status == 200, "\(swept.text)")
                for sub in people {
                    let shown = try await house.admin("GET", "/projects/default/people/\(sub)")
                    #expect(shown.status == 404)
                }
                let again = try await house.admin(
                    "POST", "/projects/default/test-keys/sweep", [:])
                #expect(try JSON(parsing: again.body)["removed"] == 0)
            }
        }
    }
}
