// SPDX-License-Identifier: Apache-2.0
import NIOHTTP1
import Platform
import ProviderCore
import Support
import Synchronization
import Testing
import UserClient

@testable import gatehouse

/// The rules hold for the machine that is really connected to, over real sockets.
@Suite struct OutgoingWebClientTests {
    /// A service on this machine that counts who came.
    private final class Service: Sendable {
        let host: LoopbackHost
        private let heads: Heads

        final class Heads: Sendable { let all = Mutex<[HTTPRequestHead]>([]) }

        init() async throws {
            let heads = Heads()
            self.heads = heads
            host = try await LoopbackHost { head in
                heads.all.withLock { $0.append(head) }
                return LoopbackHost.Reply(body: Array("here".utf8))
            }
        }

        var seen: [HTTPRequestHead] { heads.all.withLock { $0 } }

        /// The same service under another name.
        func address(as name: String) throws -> OutgoingURL {
            let port = host.address.split(separator: ":").last ?? ""
            return try #require(OutgoingURL("http://\(name):\(port)/x"))
        }
    }

    private static func addresses(_ texts: [String]) -> BoundedHostResolver.Lookup {
        { _ in texts.compactMap { NetworkAddress(text: $0) } }
    }

    private func ask(
        _ address: OutgoingURL, _ client: OutgoingWebClient
    ) async -> Result<OutgoingResponse, OutgoingHTTPError> {
        do { return .success(try await client.send(OutgoingRequest("GET", address))) } catch {
            return .failure(error)
        }
    }

    private func code(_ outcome: Result<OutgoingResponse, OutgoingHTTPError>) -> String {
        switch outcome {
        case .success(let answer): String(decoding: answer.body, as: UTF8.self)
        case .failure(let error): error.code.rawValue
        }
    }

    @Test("Attack 45: this machine is not asked, by whatever name, and hears nothing of it")
    func ownMachine() async throws {
        let service = try await Service()
        let client = OutgoingWebClient(OutgoingRequestPolicy(asksOwnMachine: false))
        for name in ["localhost", "127.0.0.1"] {
            let outcome = await ask(try service.address(as: name), client)
            #expect(code(outcome) == "not_allowed", "\(name)")
        }
        #expect(service.seen.isEmpty)
        try await service.host.stop()
    }

    @Test("A developer's provider asks its own machine, also where only one family is served")
    func developer() async throws {
        let service = try await Service()
        let client = OutgoingWebClient(OutgoingRequestPolicy(asksOwnMachine: true))
        for name in ["localhost", "127.0.0.1"] {
            #expect(code(await ask(try service.address(as: name), client)) == "here", "\(name)")
        }
        // The first port is closed; the request is sent to the second, once.
        let both = OutgoingWebClient(
            OutgoingRequestPolicy(asksOwnMachine: true),
            lookup: Self.addresses(["127.0.0.2", "127.0.0.1"]))
        let before = service.seen.count
        #expect(code(await ask(try service.address(as: "localhost"), both)) == "here")
        #expect(service.seen.count == before + 1)
        try await service.host.stop()
    }

    @Test(
        "Attack 45: a public name that leads inside is refused; where it also leads outside, not there"
    )
    func rebinding() async throws {
        let service = try await Service()
        let address = try service.address(as: "localhost")
        for found in [["127.0.0.1"], ["::ffff:127.0.0.1"], ["10.0.0.1", "169.254.169.254"]] {
            let client = OutgoingWebClient(
                OutgoingRequestPolicy(asksOwnMachine: false), lookup: Self.addresses(found))
            #expect(code(await ask(address, client)) == "not_allowed", "\(found)")
        }
        #expect(service.seen.isEmpty)
        try await service.host.stop()
    }

    @Test(
        "Attack 45: the connection goes to the address that was allowed, and the name is asked once"
    )
    func pinned() async throws {
        let service = try await Service()
        final class Count: Sendable { let value = Mutex(0) }
        let asked = Count()
        let rules = OutgoingRequestPolicy(
            [try #require(OutgoingRequestPolicy.Permission("127.0.0.1"))], asksOwnMachine: false)
        // A second look would lead elsewhere.
        let client = OutgoingWebClient(rules) { _ in
            let count = asked.value.withLock { count in
                count += 1
                return count
            }
            return [NetworkAddress(text: count == 1 ? "127.0.0.1" : "127.0.0.2")].compactMap(\.self)
        }
        let address = try service.address(as: "localhost")
        #expect(code(await ask(address, client)) == "here")
        #expect(asked.value.withLock { $0 } == 1)
        // What is told is the name, not the address.
        #expect(service.seen.first?.headers["host"].first?.hasPrefix("localhost:") == true)
        #expect(code(await ask(address, client)) == "not_allowed")
        #expect(service.seen.count == 1)
        try await service.host.stop()
    }

    @Test("A name that leads nowhere, or whose answer never comes, is away")
    func away() async throws {
        let address = try #require(OutgoingURL("https://nobody.example/"))
        let none = OutgoingWebClient(
            OutgoingRequestPolicy(asksOwnMachine: true), lookup: { _ in [] })
        #expect(code(await ask(address, none)) == "unreachable")
        struct Lost: Error {}
        let lost = OutgoingWebClient(
            OutgoingRequestPolicy(asksOwnMachine: true), lookup: { _ in throw Lost() })
        #expect(code(await ask(address, lost)) == "unreachable")
        let service = try await Service()
        let gone = try service.address(as: "127.0.0.1")
        try await service.host.stop()
        let client = OutgoingWebClient(OutgoingRequestPolicy(asksOwnMachine: true))
        #expect(code(await ask(gone, client)) == "unreachable")
    }

    @Test("A resolver that does not end costs the caller only its timeout")
    func stuck() async throws {
        let resolver = StuckResolver()
        let client = OutgoingWebClient(
            OutgoingRequestPolicy(asksOwnMachine: true),
            lookup: { try await resolver.addresses(of: $0) })
        let address = try #require(OutgoingURL("https://nobody.example/"))
        do {
            _ = try await client.send(OutgoingRequest("GET", address, seconds: 1))
            Issue.record("somebody answered")
        } catch { #expect(error.code == .timedOut, "\(error)") }
        resolver.end()
    }

    @Test("The system finds addresses by name, and reads other writings of them as what they are")
    func lookup() async throws {
        let loopback = try await HostResolver.addresses(of: "localhost")
        #expect(!loopback.isEmpty)
        #expect(loopback.allSatisfy { ["127.0.0.1", "::1"].contains($0.description) })
        #expect(try await HostResolver.addresses(of: "[::1]").map(\.description) == ["::1"])
        #expect(try await HostResolver.addresses(of: "127.1").map(\.description) == ["127.0.0.1"])
        #expect(
            try await HostResolver.addresses(of: "2130706433").map(\.description) == ["127.0.0.1"])
    }

    @Test(
        "A provider's log does not advise --ca, an option that serve does not have",
        .enabled(if: TLSSite.openssl != nil, "needs the openssl command"))
    func trustAdvice() async throws {
        let site = try TLSSite(.good, answer: "HTTP/1.0 200 OK\r\n\r\n")
        let client = OutgoingWebClient(OutgoingRequestPolicy(asksOwnMachine: true))
        let address = try #require(OutgoingURL("https://localhost:\(site.port)/"))
        guard case .failure(let error) = await ask(address, client) else {
            Issue.record("accepted")
            return
        }
        #expect(error.code == .unreachable)
        #expect(error.reason.contains("that the system trusts"), "\(error.reason)")
        #expect(!error.reason.contains("--ca"), "\(error.reason)")
    }
}
