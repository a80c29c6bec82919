// SPDX-License-Identifier: Apache-2.0
import Platform
import Testing
import UserClient

/// Attack 45: a party that may set a URL cannot reach the provider's internal network by it.
@Suite struct OutgoingRequestPolicyTests {
    private func allows(
        _ rules: OutgoingRequestPolicy, _ text: String, of host: String = "h"
    ) -> Bool {
        guard let address = NetworkAddress(text: text) else {
            Issue.record("\(text) is no address")
            return false
        }
        return rules.allow(address, of: host)
    }

    private static let inside = [
        "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255",
        "169.254.169.254", "169.254.0.1", "172.16.0.1", "172.31.255.255", "192.0.0.8",
        "192.0.2.1", "192.88.99.1", "192.168.0.1", "198.18.0.1", "198.19.255.255",
        "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255",
        "::", "fe80::1", "fec0::1", "fc00::1", "fd12:3456::1", "ff02::1", "100::1", "2001::1",
        "2001:db8::1", "3fff::1", "64:ff9b:1::a00:1", "4000::1",
        // Ways to write an address of IPv4 in one of IPv6.
        "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::10.0.0.1", "64:ff9b::10.0.0.1",
        "64:ff9b::169.254.169.254", "2002:a00:1::1", "2002:a9fe:a9fe::", "::ffff:0.0.0.0",
    ]
    private static let ownMachine = [
        "127.0.0.1", "127.255.255.254", "::1", "::ffff:127.0.0.1", "64:ff9b::127.0.0.1",
        "2002:7f00:1::",
    ]
    private static let outside = [
        "1.1.1.1", "9.255.255.255", "11.0.0.1", "100.63.255.255", "100.128.0.1", "172.15.255.255",
        "172.32.0.1", "192.167.255.255", "192.169.0.1", "223.255.255.255", "2606:4700::1111",
        "2001:4860:4860::8888", "::ffff:1.1.1.1", "64:ff9b::1.1.1.1", "2002:101:101::1",
    ]

    @Test("Attack 45: internal addresses are refused unless they are listed", arguments: inside)
    func walls(address: String) {
        #expect(!allows(OutgoingRequestPolicy(asksOwnMachine: false), address))
        #expect(!allows(OutgoingRequestPolicy(asksOwnMachine: true), address))
    }

    @Test("Attack 45: this machine is asked by a developer's provider alone", arguments: ownMachine)
    func loopback(address: String) {
        #expect(!allows(OutgoingRequestPolicy(asksOwnMachine: false), address))
        #expect(allows(OutgoingRequestPolicy(asksOwnMachine: true), address))
    }

    @Test("Public addresses are asked", arguments: outside)
    func publicAddresses(address: String) {
        #expect(allows(OutgoingRequestPolicy(asksOwnMachine: false), address))
    }

    @Test("Only the addresses that the operator lists are allowed")
    func named() throws {
        func rules(_ text: String) throws -> OutgoingRequestPolicy {
            OutgoingRequestPolicy(
                [try #require(OutgoingRequestPolicy.Permission(text), "\(text)")],
                asksOwnMachine: false)
        }
        let cases: [(String, yes: [String], no: [String])] = [
            ("10.1.2.3", ["10.1.2.3", "::ffff:10.1.2.3"], ["10.1.2.4", "10.1.2.2"]),
            ("10.1.0.0/16", ["10.1.0.0", "10.1.255.255"], ["10.0.255.255", "10.2.0.0"]),
            ("10.128.0.0/9", ["10.128.0.1", "10.255.0.1"], ["10.127.255.255"]),
            ("127.0.0.1", ["127.0.0.1"], ["127.0.0.2", "::1"]),
            ("::1", ["::1"], ["127.0.0.1", "::2"]),
            ("fd00:1::/32", ["fd00:1::9", "fd00:1:ffff::"], ["fd00:2::", "fd00::"]),
            ("0.0.0.0/0", ["10.0.0.1", "127.0.0.1"], ["fd00::1", "::1"]),
            ("::ffff:10.0.0.0/104", ["::ffff:10.9.9.9"], ["10.9.9.9"]),
        ]
        for (text, yes, no) in cases {
            for address in yes { #expect(allows(try rules(text), address), "\(text) \(address)") }
            for address in no { #expect(!allows(try rules(text), address), "\(text) \(address)") }
        }
        let badges = try rules("Badges.Corp.Example")
        #expect(allows(badges, "10.0.0.1", of: "badges.corp.example"))
        #expect(allows(badges, "10.0.0.1", of: "BADGES.corp.example"))
        for host in ["corp.example", "evil.badges.corp.example", "badges.corp.example.evil"] {
            #expect(!allows(badges, "10.0.0.1", of: host))
        }
    }

    @Test(
        "What is neither address nor range nor name is refused",
        arguments: [
            "", " ", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/8/8", "10.0.0.0/ 8",
            "10.1.2.3/8", "fd00::/129", "fd00::1/8", "10.0.0", "127.1", "0x7f.1", "2130706433",
            "a..b", ".a", "a.", "a b", "http://a", "a/b", "a:1", "*.example", "ü.example",
            "10.0.0.0/٨",
        ])
    func malformed(text: String) {
        #expect(OutgoingRequestPolicy.Permission(text) == nil)
    }

    @Test("Addresses are read and written as the system does")
    func addresses() {
        for text in ["127.0.0.1", "::1", "2001:db8::1", "::ffff:1.2.3.4"] {
            #expect(NetworkAddress(text: text)?.description == text)
        }
        for text in ["127.1", "0127.0.0.1", "1.2.3.4.5", "fe80::1%lo", "[::1]", "", "::g"] {
            #expect(NetworkAddress(text: text) == nil)
        }
        #expect(NetworkAddress([1, 2, 3]) == nil && NetworkAddress([]) == nil)
    }
}
