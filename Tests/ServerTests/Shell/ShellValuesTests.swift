// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Primitives
import Support
import Testing

@testable import Server

@Suite struct DateHeaderTests {
    @Test(
        "dates are written as RFC 9110 does",
        arguments: [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
            (1_798_675_199, "Wed, 30 Dec 2026 23:59:59 GMT"),
            (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
        ] as [(Int64, String)])
    func format(_ seconds: Int64, _ expected: String) {
        #expect(DateHeader.format(seconds) == expected)
        #expect(DateHeader().text(at: Timestamp(seconds: seconds)) == expected)
    }
}

@Suite struct AcceptLanguageTests {
    @Test(
        "languages come best first",
        arguments: [
            ("de-DE,de;q=0.9,en;q=0.8", ["de-de", "de", "en"]),
            ("en;q=0.1, de", ["de", "en"]),
            ("en;q=0", []), ("", []), ("<script>,de", ["de"]), ("a;q=x", ["a"]),
        ] as [(String, [String])])
    func parses(_ value: String, _ expected: [String]) {
        #expect(AcceptLanguage.parse(value) == expected)
    }
}

@Suite struct TrustedProxiesTests {
    private let forwarded: RequestHeaders = [
        .forwardedFor: "6.6.6.6, 203.0.113.9, 10.0.0.2", .forwardedProto: "https",
    ]

    @Test("Attack 24: forwarded fields of an unlisted peer are ignored")
    func untrusted() {
        let (address, isSecure) = TrustedProxies().client(
            peer: "198.51.100.1", headers: forwarded, isTLS: false)
        #expect(address == "198.51.100.1" && !isSecure)
    }

    @Test("behind listed proxies the nearest unlisted hop is the client")
    func trusted() {
        let (address, isSecure) = TrustedProxies(["10.0.0.1", "10.0.0.2"]).client(
            peer: "10.0.0.1", headers: forwarded, isTLS: false)
        #expect(address == "203.0.113.9" && isSecure)
    }

    @Test("a hop that is no address is not believed")
    func nonsense() {
        let (address, _) = TrustedProxies(["10.0.0.1"]).client(
            peer: "10.0.0.1", headers: [.forwardedFor: "<script>"], isTLS: false)
        #expect(address == "10.0.0.1")
    }
}

@Suite struct RequestIDsTests {
    @Test("ten thousand requests have ten thousand names of 16 letters")
    func unique() {
        let ids = RequestIDs(random: SeededRandom())
        let names = Set((0..<10_000).map { _ in ids.next() })
        #expect(names.count == 10_000 && names.allSatisfy { $0.utf8.count == 16 })
    }
}
