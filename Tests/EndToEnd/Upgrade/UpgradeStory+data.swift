// SPDX-License-Identifier: Apache-2.0
import Foundation
import Primitives
import StoragePostgreSQL
import StorageSQL
import Support
import Testing

/// What is stored.
extension EndToEndCluster.UpgradeStory {
    @Test(
        "a change of a project, client or person by one version preserves what the other wrote",
        arguments: StoredDocument.all)
    func settings(_ document: StoredDocument) async throws {
        let house = try await UpgradeHouse.start("upgrade-\(document.table)")
        let new = try await house.upgrade()
        let engine = PostgreSQLEngine(url: house.database, connections: 1)
        // A member that neither version knows, as a version after the new one writes it.
        _ = try await engine.change(document.unknownMember)
        for (server, value) in zip([new, house.old, new, house.old], document.values) {
            let before = try await document.read(engine)
            try await server.command(document.command + ["\(document.setting)=\(value)"])
            let after = try await document.read(engine)
            let lost = before.lost(in: after).filter { $0 != "/updated_at" }
            #expect(lost.count == 1, "\(lost)")
            #expect(after["future"]["a"][0] == 1 && after.text.contains(value), "\(after.text)")
        }
        await engine.close()
        try await house.stop(house.old, new)
    }

    @Test(
        "after a downgrade the previous release serves the migrated database, unless the schema excludes it"
    )
    func downgrade() async throws {
        let house = try await UpgradeHouse.start("upgrade-back")
        let new = try await house.upgrade()
        try await house.old.stop()
        let jan = try await UpgradeMember.register("jan", at: new)
        try await new.command(["keys", "rotate", "--now"])
        let tokens = try await new.redeem(new.code(for: new.agent(jan.cookies)))
        try await new.stop()

        let again = try await house.old.restarted()
        try await jan.signIn(at: again)
        #expect(try await again.userInfo(tokens).status == 200)
        let family = try #require(tokens.refreshToken)
        #expect(try await again.refresh(family).status == 200)
        try await again.stop()

        let engine = PostgreSQLEngine(url: house.database, connections: 1)
        _ = try await engine.change(
            "INSERT INTO schema_steps (number, name) VALUES (9999, 'later')")
        _ = try await engine.change("INSERT INTO schema_support (oldest_version) VALUES (9999)")
        await engine.close()
        let error = await #expect(throws: HarnessError.self) { try await house.old.restarted() }
        #expect("\(error, default: "")".contains("supports programs of version 9999 and later"))
        try await house.stop()
    }

    @Test("the new version restores a backup of the previous release, with its sessions and tokens")
    func backup() async throws {
        let house = try await UpgradeHouse.start("upgrade-backup")
        let ines = try await UpgradeMember.register("ines", at: house.old)
        let tokens = try await house.old.redeem(
            house.old.code(for: house.old.agent(ines.cookies)))
        let file = house.old.data.file("before.backup").path()
        let made = try await Command.run(
            house.old.program, ["store", "backup", file, "--database", house.database.revealText()])
        #expect(made.status == 0, "\(made.errors)")
        let database = try PostgreSQLServer.shared().makeDatabase()
        let restored = try await Command.gatehouse(
            "store", "restore", file, "--database", database.revealText())
        #expect(restored.status == 0, "\(restored.errors)")
        let new = try await ServerProcess(
            "upgrade-restored", issuer: house.old.issuer,
            arguments: ClusterHouse.arguments(database.revealText(), house.keys))
        try await ines.signIn(at: new)
        #expect(try await new.userInfo(tokens).status == 200)
        let family = try #require(tokens.refreshToken)
        #expect(try await new.refresh(family).status == 200)
        try await house.stop(house.old, new)
    }

    @Test(
        "on SQLite the new version serves the data of the previous release, which serves them again"
    )
    func sqlite() async throws {
        let old = try await ServerProcess(
            "upgrade-sqlite-old", program: #require(PreviousRelease.program))
        try await old.apply(EndToEndCluster.ClusterStory.state)
        let ines = try await UpgradeMember.register("ines", at: old)
        try await old.stop()
        let new = try await ServerProcess("upgrade-sqlite-new", data: old.data, port: old.port)
        try await ines.signIn(at: new)
        let jan = try await UpgradeMember.register("jan", at: new)
        try await new.stop()
        let again = try await old.restarted()
        for person in [ines, jan] { try await person.signIn(at: again) }
        try await again.stop()
    }
}

/// A stored JSON document, and a command that changes one member of it.
struct StoredDocument: Sendable, CustomTestStringConvertible {
    let table: String
    private let column: String
    private let row: String
    let command: [String]
    let setting: String
    /// Each is another one than before.
    let values: [String]

    static let all = [
        StoredDocument(
            table: "projects", column: "policy", row: "name = 'default'",
            command: ["admin", "policy", "set", "tokens"], setting: "code_lifetime",
            values: ["41", "42", "43", "44"]),
        StoredDocument(
            table: "clients", column: "metadata", row: "client_id = 'app'",
            command: ["admin", "clients", "change", "app"], setting: "client_name",
            values: ["Shop", "Store", "Market", "Stall"]),
        StoredDocument(
            table: "people", column: "claims", row: "username = 'worker0'",
            command: ["admin", "people", "change", "worker0"], setting: "name",
            values: ["Ines", "Jan", "Kim", "Nora"]),
    ]

    var testDescription: String { table }

    var unknownMember: String {
        """
        UPDATE \(table) SET \(column) = '{"future":{"a":[1,true,"x"]},' || substr(\(column), 2)
        WHERE \(row)
        """
    }

    func read(_ engine: PostgreSQLEngine) async throws -> JSON {
        let rows = try await engine.query("SELECT \(column) FROM \(table) WHERE \(row)")
        guard case .text(let text)? = rows.first?.values.first else {
            throw HarnessError("no \(column) of \(table)")
        }
        return try JSON(parsing: Array(text.utf8))
    }
}

extension JSON {
    /// The paths of the values that `other` does not have, or has with another value.
    fileprivate func lost(in other: JSON, at path: String = "") -> [String] {
        switch (self, other) {
        case (.object(let members), _):
            members.flatMap { $1.lost(in: other[$0], at: "\(path)/\($0)") }
        case (.array(let entries), .array(let others)) where entries.count == others.count:
            zip(entries, others).flatMap { $0.lost(in: $1, at: "\(path)/-") }
        default: self == other ? [] : [path]
        }
    }
}
