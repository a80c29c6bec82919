// SPDX-License-Identifier: Apache-2.0
import IdentityProvider
import Primitives
import Storage
import StorageSQL
import Support
import Testing

@testable import Server

/// A home project with administrators in it, a project `qa` beside it, and pages.
struct ConsoleHouse {
    let pages: PagesHouse
    let qa: Project
    private let counted: CountedStore

    init() async throws {
        counted = try await CountedStore()
        let store = counted.store
        pages = try await PagesHouse(store: store)
        qa = Project(
            id: Identifier(now: pages.clock.now, random: pages.random), name: "qa",
            environment: .development, createdAt: pages.clock.now)
        _ = try await store.save(qa)
    }

    var engine: CountingEngine { counted.engine }
    var store: any ProviderStore { pages.provider.store }
    var home: Project { pages.project }

    func identifier<Record>() -> Identifier<Record> {
        Identifier(now: pages.clock.now, random: pages.random)
    }

    /// A browser of somebody who has just signed in and has that role.
    ///
    /// - Parameter project: `nil` for every project.
    func administrator(
        _ role: Administrator.Role, in project: Project? = nil, named name: String = "olga"
    ) async throws -> Browser {
        var browser = try await pages.registered(name, name: "Olga Owner")
        try await give(role, to: name, in: project)
        // Not every role sees a page of the console with a form, whose token forms need.
        _ = try await browser.get("/account")
        return browser
    }

    func give(
        _ role: Administrator.Role, to name: String, in project: Project? = nil
    ) async throws {
        let outcome = try await store.assign(
            Administrator(
                id: identifier(), person: pages.person(name).id, project: project?.id, role: role,
                createdAt: pages.clock.now))
        #expect(outcome == .assigned)
    }

    @discardableResult
    func person(_ name: String, in project: Project? = nil) async throws -> Person {
        var claims = PersonClaims()
        claims.name = "Person \(name)"
        claims.email = "\(name)@example.com"
        claims.emailVerified = true
        let person = Person(
            id: identifier(), project: (project ?? home).id, username: name, claims: claims,
            createdAt: pages.clock.now)
        #expect(try await store.create(person, with: []) == .created)
        return person
    }

    @discardableResult
    func client(_ id: String, in project: Project? = nil) async throws -> Client {
        var metadata = ClientMetadata()
        metadata.clientName = "The \(id)"
        metadata.redirectURIs = ["https://\(id).example/callback"]
        let client = Client(
            id: identifier(), project: (project ?? home).id, clientID: id, metadata: metadata,
            secretHash: [1], createdAt: pages.clock.now)
        #expect(try await store.save(client, now: pages.clock.now))
        return client
    }

    /// What the last page's confirmation form carries.
    func seal(_ answer: Answer) throws -> String {
        let mark = "name=\"seal\" value=\""
        let range = try #require(answer.text.firstRange(of: mark))
        return String(answer.text[range.upperBound...].prefix { $0 != "\"" })
    }
}
