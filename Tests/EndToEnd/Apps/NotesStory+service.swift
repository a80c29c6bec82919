// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient
import GatehouseTesting
import Support
import Synchronization
import Testing

/// The service that keeps the notes, as those meet it who should not be let in.
extension EndToEnd.NotesStory {
    /// The network, and what the app has last asked the service.
    private final class Recorder: HTTPTransport {
        private let inner: NetworkTransport
        private let service: String
        private let last = Mutex<ResourceRequest?>(nil)

        init(_ service: String) throws {
            inner = try NetworkTransport()
            self.service = service
        }

        var seen: ResourceRequest? { last.withLock { $0 } }

        /// Past the record.
        func send(_ request: ResourceRequest) async throws -> ResourceResponse {
            try await inner.response(to: request)
        }

        func response(to request: ResourceRequest) async throws -> ResourceResponse {
            if request.url.hasPrefix(service) { last.withLock { $0 = request } }
            return try await inner.response(to: request)
        }
    }

    /// A person with an app in this process.
    private struct Visitor {
        let client: IdentityClient
        let session: GatehouseClient.UserSession
        let wire: Recorder
        let notes: String

        init(_ house: NotesHouse) async throws {
            let address = "http://127.0.0.1:\(house.servicePort)"
            notes = address + "/notes"
            wire = try Recorder(address)
            client = try IdentityClient(
                configuration: ClientConfiguration(
                    issuer: house.server.issuer, clientID: "notes",
                    scopes: ClientConfiguration.usualScopes + ["notes", "weather"]),
                store: InMemorySecureStore(), keys: InMemoryKeyStore(), transport: wire)
            let key = try String(contentsOfFile: house.keyFile, encoding: .utf8)
            try await client.register(
                .credential(TestKeyCredentialProvider(privateKeyPEM: key, keyID: house.keyID)))
            session = try await client.signIn(.deviceKey)
        }

        func ask(
            _ method: String = "GET", _ line: String? = nil, scopes: [String]? = ["notes"]
        ) async throws -> ResourceResponse {
            let body = try line.map { Array(try JSONEncoder().encode([$0])) }
            return try await session.data(
                for: ResourceRequest(notes, method: method, body: body),
                audience: "notes-service", scopes: scopes)
        }

        /// What the app has just sent, with something else in it.
        func again(_ change: (inout ResourceRequest) -> Void) async throws -> ResourceResponse {
            var request = try #require(wire.seen)
            change(&request)
            return try await wire.send(request)
        }
    }

    @Test("the service tells people apart, and keeps what each has written over a restart")
    func apart() async throws {
        let house = try await NotesHouse("notes-apart")
        let service = try await house.startService()
        let (anna, bert) = (try await Visitor(house), try await Visitor(house))
        #expect(try await anna.ask("POST", "buy milk").status == 201)
        #expect(try await anna.ask("POST", "\"quoted\" 中").status == 201)
        #expect(try await bert.ask("POST", "sell milk").status == 201)
        try await service.stop()
        let next = try await house.startService()
        let lines = try JSONDecoder().decode(
            [String].self, from: Data(try await anna.ask().body))
        #expect(lines == ["buy milk", "\"quoted\" 中"])
        #expect(try await bert.ask().body == Array(#"["sell milk"]"#.utf8))
        #expect(try await bert.ask("DELETE").status == 405)
        try await next.stop()
        try await house.server.stop()
    }

    @Test("a token that was copied opens nothing: without its key, with another's, or used again")
    func copied() async throws {
        let house = try await NotesHouse("notes-copied")
        let service = try await house.startService()
        let (anna, bert) = (try await Visitor(house), try await Visitor(house))
        #expect(try await anna.ask("POST", "buy milk").status == 201)
        #expect(try await bert.ask().status == 200)
        let proofOfBert = try #require(bert.wire.seen?.headers.first { $0.name == "dpop" }?.value)
        #expect(try await anna.ask().status == 200)
        let token = try #require(
            anna.wire.seen?.headers.first { $0.name == "authorization" }?.value)
        #expect(token.hasPrefix("DPoP "))
        // As a bearer token, without a proof, with a consumed proof, with another person's proof.
        #expect(try await anna.again { $0.headers = [] }.status == 401)
        let bearer = "Bearer \(token.dropFirst(5))"
        #expect(try await anna.again { $0.headers = [("authorization", bearer)] }.status == 401)
        #expect(try await anna.again { $0.headers = [("authorization", token)] }.status == 401)
        let replayed = try await anna.again { _ in }
        #expect(replayed.status == 401)
        #expect(replayed.header("www-authenticate")?.contains("invalid_dpop_proof") == true)
        #expect(try await anna.again { $0.set("dpop", proofOfBert) }.status == 401)
        // A proof is for one request: another method, another address.
        #expect(try await anna.ask().status == 200)
        #expect(try await anna.again { $0.method = "POST" }.status == 401)
        #expect(try await anna.again { $0.url += "/2" }.status == 401)
        let words = try service.words
        for reason in ["no token with a key", "used before", "another key", "another request"] {
            #expect(words.contains(reason), "\(reason)")
        }
        #expect(!words.contains("eyJ"), "no token in the log")
        try await service.stop()
        try await house.server.stop()
    }

    @Test("a token for another audience or scope, or of a signed-out person, is refused")
    func others() async throws {
        let house = try await NotesHouse("notes-others")
        let service = try await house.startService()
        let anna = try await Visitor(house)
        // The app's own token is the provider's business.
        let own = try await anna.session.data(for: ResourceRequest(anna.notes))
        #expect(own.status == 401)
        let scope = try await anna.ask(scopes: ["weather"])
        #expect(scope.status == 403)
        #expect(scope.header("www-authenticate")?.contains("insufficient_scope") == true)
        #expect(try await anna.ask().status == 200)
        // What the service is sent opens nothing at the provider.
        let userInfo = try await anna.session.data(
            for: ResourceRequest(house.server.issuer + "/userinfo"), audience: "notes-service")
        #expect([401, 403].contains(userInfo.status))
        try await house.server.child.stop()
        #expect(try await anna.again { _ in }.status == 503, "nobody is let in unasked")
        let server = try await house.server.restarted()
        #expect(try await anna.ask().status == 200)
        #expect(try await anna.client.signOut(anna.session.profile.id).isComplete)
        let signedOut = try await anna.again { _ in }
        #expect(signedOut.status == 401)
        #expect(signedOut.header("www-authenticate")?.contains("invalid_token") == true)
        try await service.stop()
        try await server.stop()
    }

    @Test("the app shows what its person may do, and uses some of it up, a lost answer or not")
    func usesUp() async throws {
        let house = try await NotesHouse("notes-uses")
        let app = house.environment.merging(["NOTES_SCOPES": "entitlements"]) { $1 }
        func notes(_ words: String..., input: String = "") async throws -> Command.Outcome {
            try await Command.run(NotesHouse.app, words, input: input, environment: app)
        }
        func admin(_ words: String...) async throws {
            let told = try await Command.run(
                Repository.gatehouse,
                ["admin", "entitlements"] + words + ["--data-dir", house.server.dataDirectory])
            #expect(told.status == 0, "\(told.errors)")
        }
        let registered = try await notes(
            "register", "--test-key", house.keyFile, "--key-id", house.keyID,
            input: "24681\n24681\n")
        #expect(registered.status == 0, "\(registered.errors)")
        // People of a test key have no name of the project's own.
        let sub = try #require(try claims(try await notes("token").output)["sub"].string)
        try await admin("put", "gold", "vaults=10", "export=true")
        try await admin("give", sub, "--set", "gold")
        try await admin("refill", sub, "sms=2")
        let shown = try await notes("entitlements")
        #expect(
            shown.output == "The set gold\nexport  yes\nvaults  10\nsms  2 left\n",
            "\(shown.errors)")
        let id = UUID().uuidString
        #expect(try await notes("use", "sms", "--id", id).output == "1 left.\n")
        #expect(try await notes("use", "sms", "--id", id).output == "1 left.\n")
        #expect(try await notes("use", "sms").output == "0 left.\n")
        let none = try await notes("use", "sms")
        #expect(none.status == 1 && none.output.isEmpty)
        #expect(none.errors.contains("There is not enough left."), "\(none.errors)")
        try await house.server.stop()
    }
}

extension ChildProcess {
    /// Everything that it wrote.
    fileprivate var words: String {
        get throws { try String(contentsOf: log, encoding: .utf8) }
    }
}
