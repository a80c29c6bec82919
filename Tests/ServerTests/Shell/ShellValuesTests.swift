// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOHTTP1
import Platform
import Primitives
import Support
import Testing

@testable import HTTPServer

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

    private func proxies(_ texts: String...) -> TrustedProxies {
        TrustedProxies(texts.compactMap { NetworkRange($0) })
    }

    private func client(
        of peer: String, _ listed: TrustedProxies, _ headers: RequestHeaders
    ) -> (address: String, isIgnored: Bool) {
        let peer = listed.peer(peer)
        return (
            listed.client(of: peer, headers: headers), TrustedProxies.isIgnored(headers, of: peer)
        )
    }

    @Test("Attack 24: forwarded fields of an unlisted peer are ignored")
    func untrusted() {
        for listed in [proxies(), proxies("10.0.0.0/8", "fd00::/8")] {
            let (address, isIgnored) = client(of: "198.51.100.1", listed, forwarded)
            #expect(address == "198.51.100.1" && isIgnored)
        }
        #expect(!client(of: "198.51.100.1", proxies(), [:]).isIgnored)
        for name in [HTTPField.Name.forwardedFor, .forwardedProto, .forwarded] {
            #expect(client(of: "198.51.100.1", proxies(), [name: "a"]).isIgnored)
            let lines = RequestHeaders(lines: [name.rawName: "a"])
            #expect(client(of: "198.51.100.1", proxies(), lines).isIgnored)
        }
    }

    @Test(
        "Attack 78: behind listed proxies and networks the nearest unlisted hop is the client",
        arguments: ["10.0.0.1", "::ffff:10.0.0.1", "10.0.0.2"])
    func trusted(_ peer: String) {
        for listed in [proxies("10.0.0.1", "10.0.0.2"), proxies("fd00::/8", "10.0.0.0/30")] {
            let (address, isIgnored) = client(of: peer, listed, forwarded)
            #expect(address == "203.0.113.9" && !isIgnored)
        }
        // Of two networks of proxies the client is behind both.
        #expect(
            client(of: peer, proxies("10.0.0.0/8", "203.0.113.0/24"), forwarded).address
                == "6.6.6.6")
    }

    @Test("a hop that is not an address is not trusted")
    func nonsense() {
        let (address, _) = client(
            of: "10.0.0.1", proxies("10.0.0.1"), [.forwardedFor: "<script>"])
        #expect(address == "10.0.0.1")
    }
}

@Suite struct RequestIDsTests {
    @Test("ten thousand requests have ten thousand names of 16 characters")
    func unique() {
        let ids = RequestIDs(random: SeededRandom())
        let names = Set((0..<10_000).map { _ in ids.next() })
        #expect(names.count == 10_000 && names.allSatisfy { $0.utf8.count == 16 })
    }
}
