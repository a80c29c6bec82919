// SPDX-License-Identifier: Apache-2.0
import Foundation
import JOSE
import Testing

@testable import AdminConsole
@testable import AdminEndpoints

/// Whatever the Admin API can do and take, a page does and asks for; or there is a reason.
@Suite struct ConsoleCoverageTests {
    private static let server = "about the whole server, which is its operator's: gatehouse admin"

    /// Calls that no page makes, and why.
    private static let elsewhere = [
        "rotateToken": server, "makeSetUpLink": server, "showStore": server, "backUpStore": server,
        "sweepStore": server,
    ]

    /// Calls that pages of rules make, drawn from their values.
    private static let drawn: Set<String> = Set(
        ConsoleRulesPage.all.flatMap { page in
            page.settings.flatMap { ["show\($0.operation)", "put\($0.operation)"] }
                + page.lists.flatMap {
                    ["list\($0.many)", "show\($0.one)", "put\($0.one)", "remove\($0.one)"]
                }
        })

    private static func sources() throws -> String {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Sources/AdminConsole").standardizedFileURL
        return try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".swift") }
            .map { try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8) }
            .joined()
    }

    @Test("every call of the Admin API is made by a page, or has a reason why not")
    func calls() async throws {
        let sources = try Self.sources()
        let known = Set(try await AdminHouse().api.endpoints.map(\.operation))
        let made = known.filter { sources.contains("\"\($0)\"") }.union(Self.drawn)
        #expect(known.subtracting(made).subtracting(Self.elsewhere.keys).isEmpty, "no page")
        #expect(made.intersection(Self.elsewhere.keys).isEmpty, "has a page after all")
        #expect(made.union(Self.elsewhere.keys).subtracting(known).isEmpty, "no such call")
    }

    /// Members that no form asks for, and why.
    private static let unasked = [
        "Client.client_id": "never changes", "Client.response_types": "code is the only one",
        "Client.disabled": "a button", "Person.username": "never changes here",
        "Person.password": "nobody's but theirs: there is the way back",
        "Person.password_must_change": "always, for the first password that a button sets",
        "Person.disabled": "a button", "SigningFingerprint.owner": "whoever adds it",
    ]

    @Test("every member that the Admin API takes has a field, or a reason why not")
    func members() throws {
        let schemas = try JSONParser.parse(Array(AdminSchemas.all.utf8), maximumBytes: 65_536)
        var asked: [String: Set<String>] = [
            "Client": Set(ConsoleClientFields.all.map(\.name)),
            "Person": Set(ConsolePersonDetails.fields.map(\.name)),
        ]
        for page in ConsoleRulesPage.all {
            // The other settings of a project have separate pages.
            for settings in page.settings where settings.operation != "Project" {
                asked[settings.operation, default: []].formUnion(settings.fields.map(\.name))
            }
            for list in page.lists {
                asked[list.one] = Set((list.fields + list.fixed).map(\.name) + [list.key])
            }
        }
        for (name, fields) in asked {
            let members = try #require(schemas[name]?["properties"]?.object, "\(name)").members
            let taken = members.filter { $0.value["readOnly"]?.bool != true }.map(\.name)
            for member in Set(taken).subtracting(fields) {
                #expect(Self.unasked["\(name).\(member)"] != nil, "\(name).\(member)")
            }
            for field in fields.subtracting(members.map(\.name)) {
                Issue.record("\(name).\(field) is not the Admin API's")
            }
        }
    }
}
