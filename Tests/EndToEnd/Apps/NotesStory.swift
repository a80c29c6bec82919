// SPDX-License-Identifier: Apache-2.0
import Foundation
import Primitives
import Support
import Testing

extension EndToEnd {
    /// `Examples/notes`, an app with the SDK, against the built provider: registered with a test
    /// key, killed and started again, several processes with one store.
    @Suite("An app with the SDK")
    struct NotesStory {
        @Test("it registers a person, stores their notes, and deletes all after their removal")
        func story() async throws {
            let house = try await NotesHouse("notes")
            let service = try await house.startService()
            let registered = try await house.register(UUID())
            #expect(registered.status == 0, "\(registered.errors)")
            #expect(registered.output.contains("Registered as test-"))
            let added = try await house.notes("add", "buy milk")
            #expect(added.output == "Noted.\n", "\(added.errors) \(service.lastWords)")
            #expect(try await house.notes("list").output == "buy milk\n")
            let removed = try await house.notes("remove")
            #expect(removed.status == 0 && removed.output.hasPrefix("Removed test-"))
            #expect(try await house.notes("list").status == 1)
            #expect(try await house.notes("people").output.isEmpty)
            try await service.stop()
            try await house.server.stop()
        }

        @Test("it does what else a person would: device, web, approvals, another PIN, the end")
        func further() async throws {
            let house = try await NotesHouse("notes-further")
            #expect(try await house.register(UUID()).status == 0)
            #expect(try await house.notes("entitlements").status == 0)
            #expect(try await house.notes("device").output.hasPrefix("This device may: weather,"))
            let address = try await house.notes("web", house.server.issuer + "/account")
            #expect(address.output.hasPrefix(house.server.issuer + "/handoff?token="))
            let elsewhere = try await house.notes("web", "https://elsewhere.example/")
            #expect(elsewhere.status == 1 && elsewhere.output.isEmpty)
            let waiting = try await house.notes("approvals", input: "24681\n")
            #expect(waiting.output.contains("Nothing waits."), "\(waiting.errors)")
            let changed = try await house.notes("change-pin", input: "24681\n97135\n")
            #expect(changed.output == "The new PIN counts.\n", "\(changed.errors)")
            #expect(try await house.notes("sign-out", "--here").output == "Signed out.\n")
            // Signed out, the device still speaks for itself.
            #expect(try await house.notes("device").status == 0)
            let signedIn = try await house.notes("sign-in", input: "97135\n")
            #expect(signedIn.output.hasPrefix("Signed in as test-"), "\(signedIn.errors)")
            // No passkeys for a program that does not say which app it is.
            #expect(try await house.notes("sign-in", "--passkey").status == 1)
            #expect(signedIn.output.hasSuffix(", by swk, pin, mfa.\n"))
            let name = signedIn.output.dropFirst("Signed in as ".count).prefix { $0 != "," }
            #expect(try await house.notes("delete-account", input: "nobody\n").status == 1)
            let closed = try await house.notes("delete-account", input: "\(name)\n")
            #expect(closed.output == "The account is closed.\n", "\(closed.errors)")
            #expect(try await house.people() == 0)
            #expect(try await house.notes("nonsense").status == 2)
            try await house.server.stop()
        }

        @Test(
            "a person's record is damaged: the app names it, continues with others, and removes it")
        func damaged() async throws {
            let house = try await NotesHouse("notes-damaged")
            #expect(try await house.register(UUID()).status == 0)
            let first = try await house.notes("people").output.prefix { $0 != " " }
            #expect(try await house.register(UUID()).status == 0)
            let records = try FileManager.default.subpathsOfDirectory(
                atPath: house.folder.url.path())
            let record = try #require(records.first { $0.hasSuffix("profile.\(first).sealed") })
            try Data("nothing".utf8).write(to: house.folder.url.appending(path: record))
            let people = try await house.notes("people")
            #expect(people.status == 0 && people.output.hasPrefix("\(first)  damaged: remove "))
            #expect(people.output.split(separator: "\n").count == 2, "\(people.output)")
            #expect(try await house.notes("token").status == 0)
            let removed = try await house.notes("remove", String(first))
            #expect(removed.status == 0 && removed.output == "Removed \(first).\n")
            #expect(removed.errors.contains("The provider could not be told"))
            #expect(try await house.notes("people").output.split(separator: "\n").count == 1)
            #expect(try await house.notes("remove", "nobody").status == 2)
            try await house.server.stop()
        }

        @Test("six processes with one store all get a token, and the session lives on")
        func sharedStore() async throws {
            let house = try await NotesHouse("notes-shared")
            #expect(try await house.register(UUID()).status == 0)
            for _ in 0..<2 {
                let statuses = try await withThrowingTaskGroup(of: Int32.self) { group in
                    for _ in 0..<6 { group.addTask { try await house.notes("token").status } }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(statuses == [Int32](repeating: 0, count: 6))
            }
            #expect(try await house.notes("sign-out").output == "Signed out.\n")
            #expect(try await house.notes("token").status == 1)
            try await house.server.stop()
        }

        @Test(
            "two processes share one store against PostgreSQL: both get tokens, and it goes on",
            .enabled(
                if: PostgreSQLServer.unavailable == nil, "PostgreSQL 15 is not installed"))
        func sharedOnPostgreSQL() async throws {
            let house = try await NotesHouse(
                "notes-postgresql",
                database: [
                    "--database", try PostgreSQLServer.shared().makeDatabase().revealText(),
                ])
            #expect(try await house.register(UUID()).status == 0)
            for round in 0..<3 {
                // Each token lives 20 seconds and is asked for thirty: every call has to renew.
                let pair = try ["one", "other"].map {
                    try house.start("token", log: "\($0)-\(round)")
                }
                for app in pair { #expect(try await app.ended() == 0, "\(app.lastWords)") }
                let tokens = pair.map(\.lastWords)
                #expect(tokens.allSatisfy { $0.hasPrefix("eyJ") })
            }
            // A process is killed at any point; it does not block the others.
            let killed = try house.start("token", log: "killed")
            killed.signal(SIGKILL)
            _ = try await killed.ended()
            #expect(try await house.notes("token").status == 0)
            #expect(try await house.notes("people").output.split(separator: "\n").count == 1)
            let everywhere = try house.start("sign-out", "--everywhere", log: "everywhere")
            #expect(try await everywhere.ended() == 0, "\(everywhere.lastWords)")
            #expect(try await house.notes("token").status == 1)
            try await house.server.stop()
        }

        @Test(
            "a provider that is killed in the middle: the same registration again comes to one end")
        func killed() async throws {
            var house = try await NotesHouse("notes-killed")
            for round in 1...4 {
                let id = UUID()
                let log = house.folder.file("round-\(round)")
                let input = try house.folder.write("24681\n24681\n", to: "in")
                let app = try ChildProcess(
                    NotesHouse.app,
                    [
                        "register", "--test-key", house.keyFile, "--key-id", house.keyID, "--id",
                        id.uuidString,
                    ], input: input, log: log, environment: house.environment)
                try await eventually("it has begun") {
                    let text = try String(contentsOf: log, encoding: .utf8)
                    return text.contains("Registration") ? true : nil
                }
                house.server.child.signal(SIGKILL)
                _ = try await house.server.child.ended()
                let first = try await app.ended()
                house.server = try await house.server.restarted()
                let text = try String(contentsOf: log, encoding: .utf8)
                if first != 0 {
                    let again = try await house.register(id)
                    #expect(again.status == 0, "\(text) \(again.errors)")
                }
                let people = try await house.notes("people").output
                #expect(people.split(separator: "\n").count == round, "\(people)")
            }
            #expect(try await house.people() == 4)
            try await house.server.stop()
        }
    }
}
