// SPDX-License-Identifier: Apache-2.0
import Attestation
import AttestationSupport
import Primitives
import Support
import Synchronization
import Testing
import WebAuthn

@Suite("Android's revocation status list")
struct RevocationStatusListTests {
    private static func list(_ json: String) throws -> RevocationStatusList {
        try RevocationStatusList(json: Array(json.utf8), fetched: now)
    }

    /// Its serial number is 0909.
    private static func certificate() throws -> AttestationCertificate {
        try AttestationChain(der: [try AttestationAuthority().issue().der]).leaf
    }

    @Test("A certificate is found by its serial number in hexadecimal")
    func found() throws {
        let certificate = try Self.certificate()
        let listed = try Self.list(#"{"entries":{"909":{"status":"REVOKED"},"1":{"status":"X"}}}"#)
        #expect(listed.count == 2)
        #expect(listed.status(of: certificate) == "REVOKED")
        let other = try Self.list(#"{"entries":{"90":{"status":"REVOKED"}}}"#)
        #expect(other.status(of: certificate) == nil)
    }

    @Test("Leading zeros and upper case make no difference")
    func spelling() throws {
        let list = try Self.list(#"{"entries":{"000909":{"status":"SUSPENDED"}}}"#)
        #expect(list.status(of: try Self.certificate()) == "SUSPENDED")
    }

    @Test(
        "What is no list of entries is no list",
        arguments: [
            "", "{}", "[]", #"{"entries":[]}"#,
            #"{"entries":{"1":{"status":"REVOKED"},"1":{"status":"REVOKED"}}}"#,
        ])
    func malformed(_ json: String) {
        #expect(throws: RevocationStatusListError.self) { try Self.list(json) }
    }
}

extension RevocationStatusListTests {
    @Test("An entry that names no serial number leaves the others in force")
    func unreadableEntry() throws {
        let list = try Self.list(
            #"{"entries":{"xyz":{"status":"REVOKED"},"":{},"909":{"status":"REVOKED"}}}"#)
        #expect(list.unreadable == ["xyz", ""])
        #expect(list.count == 1)
        #expect(list.status(of: try Self.certificate()) == "REVOKED")
    }

    @Test(
        "An entry revokes its serial number whatever else it says",
        arguments: [
            #""909":{}"#, #""909":{"status":""}"#, #""909":{"status":5}"#, #""909":"REVOKED""#,
        ])
    func unreadableStatus(_ entry: String) throws {
        let list = try Self.list("{\"entries\":{\(entry)}}")
        #expect(list.status(of: try Self.certificate()) == "listed")
    }

    @Test("A negative serial number on the list is not its positive namesake")
    func negative() throws {
        let list = try Self.list(#"{"entries":{"-909":{"status":"REVOKED"}}}"#)
        #expect(list.count == 1)
        #expect(list.status(of: try Self.certificate()) == nil)
    }
}

/// A service whose answer a test changes.
private final class ListService: AttestationHTTPClient {
    struct Away: Error {}

    private let state = Mutex<(answer: String?, status: Int, count: Int)>((nil, 200, 0))

    func answer(_ text: String?, status: Int = 200) {
        state.withLock { $0 = (text, status, $0.count) }
    }

    var count: Int { state.withLock { $0.count } }

    func send(_ request: AttestationHTTPRequest) async throws -> AttestationHTTPResponse {
        let (answer, status) = state.withLock {
            $0.count += 1
            return ($0.answer, $0.status)
        }
        guard let answer, request.method == "GET" else { throw Away() }
        return AttestationHTTPResponse(status: status, body: Array(answer.utf8))
    }
}

@Suite("The kept revocation status list")
struct RevocationStatusCacheTests {
    private let service = ListService()
    private let clock = ManualClock(now)

    private func cache(kept: RevocationStatusList? = nil) -> RevocationStatusCache {
        RevocationStatusCache(client: service, clock: clock, kept: kept)
    }

    private static let one = #"{"entries":{"1":{"status":"REVOKED"}}}"#
    private static let none = #"{"entries":{}}"#

    @Test("The list is fetched once, and again when it is time")
    func refreshes() async {
        service.answer(Self.one)
        let cache = cache()
        #expect(await cache.current()?.count == 1)
        service.answer(Self.none)
        clock.advance(by: .hours(5))
        #expect(await cache.current()?.count == 1)
        clock.advance(by: .hours(2))
        #expect(await cache.current()?.count == 0)
        #expect(service.count == 2)
    }

    @Test("Until one was fetched there is none, and the service is not asked all the time")
    func away() async {
        let cache = cache()
        #expect(await cache.current() == nil)
        #expect(await cache.current() == nil)
        #expect(service.count == 1)
        service.answer(Self.one)
        clock.advance(by: .minutes(6))
        #expect(await cache.current()?.count == 1)
    }

    @Test("What was kept stays, with its age, while the service is away or talks nonsense")
    func keeps() async throws {
        service.answer(Self.one)
        let cache = cache()
        #expect(await cache.current()?.fetched == now)
        for (answer, status) in [(nil, 200), ("nonsense", 200), (Self.none, 503), (Self.none, 304)]
        {
            service.answer(answer, status: status)
            clock.advance(by: .hours(7))
            let list = await cache.current()
            #expect(list?.count == 1)
            #expect(list?.fetched == now)
        }
    }

    @Test("A list that outlived the process is used until it is time")
    func kept() async throws {
        service.answer(Self.none)
        let kept = try RevocationStatusList(json: Array(Self.one.utf8), fetched: now - .hours(5))
        let cache = cache(kept: kept)
        #expect(await cache.current()?.count == 1)
        #expect(service.count == 0)
        clock.advance(by: .hours(1))
        #expect(await cache.current()?.count == 0)
    }

    @Test("Callers that come together wait for one attempt")
    func together() async {
        service.answer(Self.one)
        let cache = cache()
        await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<20 { group.addTask { await cache.current()?.count } }
            for await count in group { #expect(count == 1) }
        }
        #expect(service.count == 1)
    }

    @Test("Each fetched list is reported, with the entries that it passed over")
    func reports() async {
        let reported = Mutex<[[String]]>([])
        let cache = RevocationStatusCache(client: service, clock: clock) { list in
            reported.withLock { $0.append(list.unreadable) }
        }
        service.answer(#"{"entries":{"xyz":{"status":"REVOKED"}}}"#)
        _ = await cache.current()
        _ = await cache.current()
        #expect(reported.withLock { $0 } == [["xyz"]])
    }
}
