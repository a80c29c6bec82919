// SPDX-License-Identifier: Apache-2.0
import Primitives
import ProviderDevices
import Storage
import Support
import Testing

@Suite struct AccountNameTests {
    private func person(_ username: String, realm: String = "", owns: Bool = false) -> Person {
        let (now, random) = (Timestamp(seconds: 1_800_000_000), SeededRandom(seed: 5))
        var claims = PersonClaims()
        claims.email = owns ? username : nil
        claims.emailVerified = owns
        return Person(
            id: Identifier(now: now, random: random), project: Identifier(now: now, random: random),
            username: username, realm: realm, claims: claims, createdAt: now)
    }

    @Test(
        "a username in Latin script becomes the account's name",
        arguments: [
            ("anna", "anna"), ("annaé", "annae"), ("änne", "anne"),
            ("anna.johnson", "anna-johnson"),
            ("a b", "a-b"), ("großmann", "grossmann"), ("łukasz_ø", "lukasz_o"), ("anna7", "anna7"),
            (String(repeating: "x", count: 32), String(repeating: "x", count: 32)),
        ])
    func latin(_ username: String, _ expected: String) {
        #expect(AccountName.candidates(for: person(username)).first == expected)
    }

    @Test("an address of the person's own gives a name without the domain")
    func address() {
        let own = person("anna@example.com", owns: true)
        #expect(AccountName.candidates(for: own).first == "anna")
    }

    @Test("Attack 74: user names that lose something never give one account's name")
    func others() {
        let names = [
            "anna!", "anna@evil.example", "7anna", "漢字", "漢", "анна", "-.-", "anna\u{1F98A}", "?",
            String(repeating: "x", count: 33), String(repeating: "x", count: 34), "-anna",
        ]
        let all = names.flatMap { AccountName.candidates(for: person($0)) }
        #expect(all.count == 2 * names.count && Set(all).count == all.count)
        #expect(!all.contains("anna"))
        for name in all { #expect(isWellFormed(name), "\(name)") }
        #expect(AccountName.candidates(for: person("漢字")).first?.hasPrefix("user-") == true)
        #expect(
            AccountName.candidates(for: person("boss", realm: "idp:a")).last
                != AccountName.candidates(for: person("boss", realm: "idp:b")).last)
    }

    @Test(
        "Attack 74: no account has the name of a system's own",
        arguments: [
            "root", "daemon", "nobody", "sys", "admin", "wheel", "_spotlight", "systemd-network",
            "röot", "www.data", "guest", "ubuntu", "debian", "ec2-user", "fedora", "core", "pi",
            "vagrant", "opc", "azureuser", "cloud-user", "centos", "git", "Ubuntu", "ec2.user",
        ])
    func reserved(_ username: String) {
        let names = AccountName.candidates(for: person(username))
        #expect(!names.isEmpty)
        for name in names {
            #expect(!AccountName.isReserved(name) && isWellFormed(name), "\(name)")
        }
    }

    @Test("the same person has the same names each time")
    func stable() {
        let (one, other) = (person("anna!"), person("anna!"))
        #expect(
            AccountName.candidates(for: one).first == AccountName.candidates(for: other).first)
    }

    private func isWellFormed(_ name: String) -> Bool {
        name.utf8.count <= 32 && name.wholeMatch(of: /[a-z_][a-z0-9_-]*/) != nil
    }
}
