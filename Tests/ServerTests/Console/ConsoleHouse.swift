// SPDX-License-Identifier: Apache-2.0
import Primitives
import ProviderCore
import Storage
import StorageSQL
import Support
import Testing

/// A home project with administrators, another project `qa`, and pages.
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
        _ = try await store.projects.save(qa)
    }

    var engine: CountingEngine { counted.engine }
    var store: any ProviderStore { pages.provider.store }
    var home: Project { pages.project }

    func identifier<Record>() -> Identifier<Record> {
        Identifier(now: pages.clock.now, random: pages.random)
    }

    /// Returns the browser of a newly signed-in person with that role.
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
        let outcome = try await store.administrators.assign(
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
        #expect(try await store.people.create(person, with: []) == .created)
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
        #expect(try await store.clients.save(client, now: pages.clock.now))
        return client
    }

    /// A machine that they registered and sign in with.
    func machine(of person: Person, serial: String = "C02XYZ") async throws -> Device {
        let now = pages.clock.now
        let device = Device(
            id: identifier(), project: home.id, sharing: .shared,
            facts: DeviceAttributes(serial: serial, model: "MacBookPro18,3", hostName: "Bea's Mac"),
            registeredBy: person.id, attestation: #"{"format":"apple","os":"15.1"}"#,
            registeredAt: now, lastSeenAt: now)
        let keys = [DeviceKey.Use.signing, .encryption].map {
            DeviceKey(
                kid: pages.random.bytes(32), project: home.id, device: device.id,
                use: $0, publicJWK: "{}", createdAt: now)
        }
        let outcome = try await store.devices.register(
            device, keys: keys, by: .person(person.id), provesIdentity: false,
            keyOverlap: .hours(1), now: now)
        #expect(outcome == .registered(device))
        let user = DeviceUser(
            project: home.id, device: device.id, person: person.id, method: .password,
            loginName: person.username, registeredAt: now)
        #expect(try await store.devices.register(user, key: nil, now: now) == .done)
        return device
    }

    /// An app that they registered with.
    func installation(of person: Person) async throws -> Identifier<Installation> {
        let now = pages.clock.now
        let installation = Installation(
            id: identifier(), project: person.project, person: person.id,
            registrationID: pages.random.bytes(16), method: "signedJWT",
            binding: pages.random.bytes(32), createdAt: now)
        let event = pages.provider.audit.prepare(
            AuditEventDraft(
                "registration.signedJWT", in: person.project,
                facts: RequestMetadata(now: now, requestID: "r", address: "192.0.2.1")))
        let outcome = try await store.installations.register(
            NewRegistration(
                installation: installation, person: person, credentials: [], uses: [],
                isOfKnownPerson: true), recording: event)
        #expect(outcome == .registered)
        return installation.id
    }

    /// What the last page's confirmation form carries.
    func seal(_ answer: Answer) throws -> String {
        let mark = "name=\"seal\" value=\""
        let range = try #require(answer.text.firstRange(of: mark))
        return String(answer.text[range.upperBound...].prefix { $0 != "\"" })
    }
}
