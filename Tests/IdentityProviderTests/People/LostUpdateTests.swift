// SPDX-License-Identifier: Apache-2.0
import JOSE
import Mail
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderPeople
import ProviderSettings
import Storage
import Support
import Synchronization
import Testing

/// Two concurrent changes are both applied.
@Suite struct LostUpdateTests {
    private func apply(_ user: String, in house: PeopleHouse) async throws {
        let text = #"{"projects":[{"name":"default","users":[\#(user)]}]}"#
        let state = try StateParser.parse(
            JSONParser.parse(Array(text.utf8), maximumBytes: 100_000))
        _ = try await StateReconciler(house.provider).apply(state, facts: house.facts).get()
    }

    private func race(
        _ racers: Int = 16, _ body: @escaping @Sendable (Int) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for racer in 0..<racers { group.addTask { try await body(racer) } }
            try await group.waitForAll()
        }
    }

    @Test("Attack 65: who renames themselves while they are disabled stays disabled and outside")
    func disabled() async throws {
        let house = try await PeopleHouse()
        for round in 0..<4 {
            let signedIn = try await house.member("anna\(round)")
            try await race { racer in
                if racer == 8 {
                    try await apply(
                        #"{"username":"anna\#(round)","disabled":true}"#, in: house)
                } else {
                    _ = try await AccountService(house.context, signedIn: signedIn)
                        .rename(to: "Anna \(racer)")
                }
            }
            let anna = try await house.provider.store.people.person(signedIn.person.id)
            #expect(anna?.disabled == true)
            #expect(try await house.signIn("anna\(round)").code == .invalidCredentials)
        }
    }

    @Test("Attack 65: groups and names of certificates that are taken away do not come back")
    func groups() async throws {
        let house = try await PeopleHouse()
        let signedIn = try await house.member()
        try await apply(
            #"{"username":"anna","groups":["admins","staff"],"alt_security_identities":"#
                + #"["X509:<I>CN=a<SR>01"]}"#, in: house)
        let taken =
            #"{"username":"anna","groups":["staff"],"alt_security_identities":[]}"#
        try await race { racer in
            if racer == 8 { return try await apply(taken, in: house) }
            _ = try await AccountService(house.context, signedIn: signedIn)
                .rename(to: "Anna \(racer)")
        }
        let anna = try #require(try await house.provider.store.people.person(signedIn.person.id))
        #expect(anna.claims.groups == ["staff"])
        #expect(anna.claims.altSecurityIdentities == [])
        #expect(anna.claims.name?.hasPrefix("Anna ") == true)
    }

    @Test("Attack 65: a code that is typed after the account was disabled changes nothing of it")
    func email() async throws {
        let house = try await PeopleHouse()
        let signedIn = try await house.member()
        let verification = EmailVerification(house.context, signedIn: signedIn)
        let handle = try await verification.begin(address: "a@example.com").get()
        let code = try await house.mailbox.nextCode()
        try await apply(#"{"username":"anna","disabled":true}"#, in: house)
        #expect(try await verification.finish(handle: handle, code: code).code == .codeExpired)
        #expect(
            try await AccountService(house.context, signedIn: signedIn).rename(to: "Eve").code
                == .nameInvalid)
        let anna = try await house.provider.store.people.person(signedIn.person.id)
        #expect(anna?.disabled == true && anna?.claims.email == nil)
        #expect(anna?.claims.name == signedIn.person.claims.name)
    }

    @Test(
        "Attack 65: a password that an administrator sets outlives a change proven by the old one")
    func password() async throws {
        let house = try await PeopleHouse()
        let signedIn = try await house.member()
        let (context, set) = (house.context, "a password of the administrator")
        let change = PasswordChange(
            signedIn: signedIn, current: Secret(PeopleHouse.password),
            new: Secret("a password of the thief"))
        let stored = try await change.verify(context).get()
        let proven = try await change.prove(stored, context).get()
        try await apply(#"{"username":"anna","password":"\#(set)"}"#, in: house)
        guard case .failure = try await change.commit(proven, context) else {
            Issue.record("the password was overwritten")
            return
        }
        #expect(try await house.signIn(password: set).code == nil)
    }

    /// Every change that was made has read another state: none is written over one that it has
    /// not read.
    @Test(
        "Attack 65: of documents that are applied at the same time each replaces what it has read",
        arguments: [
            ("entitlement_sets", #"{"name":"gold","entitlements":{"n":N}}"#),
            ("entitlement_sequences", #"{"name":"trial","steps":[{"set":"base","duration":N}]}"#),
        ])
    func entitlements(_ list: String, _ entry: String) async throws {
        let house = try await PeopleHouse()
        @Sendable func apply(
            _ n: Int, to list: String = list, _ entry: String = entry
        ) async throws
            -> Result<[StateChange], StateDocumentError>
        {
            let entry = entry.replacing("N", with: "\(n)")
            let text = #"{"projects":[{"name":"default","\#(list)":[\#(entry)]}]}"#
            let state = try StateParser.parse(
                JSONParser.parse(Array(text.utf8), maximumBytes: 100_000))
            return try await StateReconciler(house.provider).apply(state, facts: house.facts)
        }
        _ = try await apply(
            0, to: "entitlement_sets", #"{"name":"base","entitlements":{"n":N}}"#
        ).get()
        _ = try await apply(1000).get()
        let read = Mutex<[String]>([])
        try await race(24) { racer in
            guard case .success(let changes) = try await apply(2000 + racer) else { return }
            let before = changes.flatMap(\.fields).compactMap { $0.from?.text }
            read.withLock { $0 += before }
        }
        let replaced = read.withLock(\.self)
        #expect(!replaced.isEmpty && Set(replaced).count == replaced.count)
    }

    @Test("Attack 65: an entry of the project's rules replaces only what it was made from")
    func entries() async throws {
        let house = try await PeopleHouse()
        let editor = ProjectEditor(
            house.provider, project: house.project, rights: nil, facts: house.facts)
        func put(_ version: String, over earlier: JSONObject? = nil) async throws -> Bool {
            let entry = JSONObject([.init(name: "minimum_version", value: .string(version))])
            let outcome = try await editor.put(
                entry, named: "ios", in: .systems, over: earlier)
            if case .done = outcome { return true }
            if case .changedSince = outcome { return false }
            throw HarnessError("neither kept nor changed since")
        }
        func there() async throws -> JSONObject? {
            try await house.provider.store.projects.project(house.project.id)
                .flatMap { ProjectList.systems.entry("ios", of: $0) }
        }
        #expect(try await put("15"))
        let read = try #require(try await there())
        #expect(try await put("16"))
        #expect(try await !put("15.1", over: read))
        #expect(try await there()?["minimum_version"] == "16")
        let again = try #require(try await there())
        #expect(try await put("17", over: again))
    }
}
