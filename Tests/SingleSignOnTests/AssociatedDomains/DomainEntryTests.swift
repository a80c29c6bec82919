// SPDX-License-Identifier: Apache-2.0
import SingleSignOn
import Testing

@Suite struct DomainEntryTests {
    @Test("Entries are read")
    func entries() throws {
        let plain = try DomainEntry("authsrv:IDP.example.com")
        #expect(plain.service == .authsrv && plain.host.description == "idp.example.com")
        #expect(plain.mode == nil && plain.port == nil && !plain.isWildcard)
        let managed = try DomainEntry("webcredentials:*.example.com?mode=managed")
        #expect(managed.service == .webcredentials && managed.isWildcard)
        #expect(managed.mode == .managed)
        let local = try DomainEntry("webcredentials:localhost:8080?mode=developer")
        #expect(local.port == 8080 && local.mode == .developer)
    }

    @Test(
        "What is no entry is refused, and why",
        arguments: [
            ("", DomainEntry.ParseError.noService), ("idp.example.com", .noService),
            ("https://idp.example.com", .unknownService), ("AuthSrv:a.example", .unknownService),
            ("authsrv:https://a.example", .scheme), ("authsrv://a.example", .scheme),
            ("authsrv:a.example/", .path), ("authsrv:", .host), ("authsrv:*", .host),
            ("authsrv:a.*.example", .host), ("authsrv: a.example", .host),
            ("authsrv:a.example:0", .port), ("authsrv:a.example:x", .port),
            ("authsrv:a.example:1:2", .port), ("authsrv:a.example:", .port),
            ("authsrv:a.example?", .mode), ("authsrv:a.example?mode=other", .mode),
            ("authsrv:a.example?x=managed", .mode), ("authsrv:a.example?mode=managed&x", .mode),
        ])
    func refusals(text: String, fault: DomainEntry.ParseError) {
        #expect(throws: fault) { try DomainEntry(text) }
        #expect(!fault.reason.isEmpty)
    }

    @Test("A wildcard covers what is below, not the host itself")
    func wildcards() throws {
        let wildcard = try DomainEntry("authsrv:*.example.com")
        let host = try DomainEntry("authsrv:example.com")
        let (apex, below) = (
            try #require(HostName("example.com")), try #require(HostName("a.example.com"))
        )
        let other = try #require(HostName("badexample.com"))
        #expect(wildcard.covers(below) && !wildcard.covers(apex) && !wildcard.covers(other))
        #expect(host.covers(apex) && !host.covers(below))
    }

    @Test(
        "Names of apps and teams",
        arguments: [
            ("ABCDE12345.com.example.app", true), ("T.a", true), ("com", false), (".a", false),
            ("T.", false), ("T.a..b", false), ("T.a_b", false), ("T-.a", false), ("", false),
        ])
    func names(text: String, isGood: Bool) {
        #expect(AppIdentifier.isValid(text) == isGood)
    }
}
