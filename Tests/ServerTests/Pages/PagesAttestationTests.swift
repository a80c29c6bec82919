// SPDX-License-Identifier: Apache-2.0
import AttestationSupport
import HTTPTypes
import JOSE
import OAuth
import Primitives
import ProviderCore
import Storage
import Support
import Testing
import WebAuthn

@testable import HTTPServer

/// Keys with a manufacturer's attestation, from the routes to the account page.
@Suite struct PagesAttestationTests {
    typealias Publisher = MetadataPublisher

    private let maker: AttestationAuthority
    private let publisher: Publisher

    init() throws {
        maker = try AttestationAuthority()
        publisher = try Publisher()
    }

    // MARK: Accepted

    @Test("the metadata certify the model: its name and picture are on the account page")
    func metadata() async throws {
        let house = try await house(trust: "metadata", knowing: [])
        var browser = try await house.registered()
        #expect(try await add(&browser).status == .ok)
        let page = try await browser.get("/account").text
        #expect(page.contains("Attested security key"))
        #expect(page.contains("<span class=\"hint\">Example Key</span>"))
        #expect(page.contains("<img class=\"model\" src=\"\(Publisher.picture)\" alt=\"\">"))
    }

    @Test("the project's own roots certify the key; its model is unknown")
    func roots() async throws {
        let house = try await house(trust: "roots", roots: [try maker.root.der])
        var browser = try await house.registered()
        #expect(try await add(&browser).status == .ok)
        let page = try await browser.get("/account").text
        #expect(page.contains("Attested security key"))
        #expect(!page.contains("Example Key") && !page.contains("class=\"model\""))
        let key = try #require(try await keys(house).first)
        #expect(key.assurance == "attested_security_key")
    }

    @Test("metadata that are not required still identify the model")
    func undemanded() async throws {
        let house = try await house(trust: "none", knowing: [])
        var browser = try await house.registered()
        #expect(try await add(&browser).status == .ok)
        #expect(try await browser.get("/account").text.contains("Example Key"))
        #expect(try await keys(house).first?.assurance == "attested_security_key")
    }

    @Test("a new account may begin with a key of an allowed model")
    func applicant() async throws {
        let house = try await house(trust: "metadata", knowing: []) {
            $0.allowedAAGUIDs = [Publisher.model]
        }
        var browser = house.browser()
        let question = #"{"username":"bert","name":"Bert","kind":"security_key"}"#
        #expect(try await add(&browser, question).status == .ok)
        #expect(try await browser.get("/account").text.contains("Example Key"))
    }

    // MARK: Refused

    @Test("a key of another maker is refused, by metadata and by roots")
    func stranger() async throws {
        let stranger = try AttestationAuthority()
        let houses = [
            try await house(trust: "metadata", knowing: []),
            try await house(trust: "roots", roots: [try maker.root.der]),
        ]
        for house in houses {
            var browser = try await house.registered()
            #expect(try await code(add(&browser, by: stranger)) == "key_not_allowed")
            #expect(try await keys(house).isEmpty)
        }
    }

    @Test("a key without attestation is refused where attestation is demanded")
    func unattested() async throws {
        let houses = [
            try await house(trust: "metadata", knowing: []),
            try await house(trust: "roots", roots: [try maker.root.der]),
        ]
        for house in houses {
            var browser = try await house.registered()
            let ceremony = try await begin(&browser, Self.addition)
            let passkey = try passkey(house)
            let answer = try await finish(
                &browser, ceremony, passkey.registration(challenge: ceremony))
            #expect(try code(answer) == "key_not_allowed")
        }
    }

    @Test("a model that was revoked, or that is not on the list, is refused")
    func model() async throws {
        let revoked: [JSONValue] = [["status": "REVOKED"]]
        let houses = [
            try await house(trust: "metadata", knowing: revoked),
            // Metadata are not required here, but their refusals apply.
            try await house(trust: "none", knowing: revoked),
            try await house(trust: "metadata", knowing: []) {
                $0.allowedAAGUIDs = ["00000000-0000-0000-0000-000000000001"]
            },
        ]
        for house in houses {
            var browser = try await house.registered()
            #expect(try await code(add(&browser)) == "key_not_allowed")
        }
    }

    @Test("overdue metadata certify no key: if they are required, no key is registered")
    func stale() async throws {
        let demanding = try await house(trust: "metadata", knowing: [])
        demanding.clock.advance(by: .days(60))
        var browser = try await demanding.registered()
        #expect(try await code(add(&browser)) == "key_not_allowed")
        let easy = try await house(trust: "none", knowing: [])
        easy.clock.advance(by: .days(60))
        browser = try await easy.registered()
        #expect(try await add(&browser).status == .ok)
        #expect(try await keys(easy).first?.assurance == "security_key")
    }

    // MARK: Test support

    private static let addition = #"{"kind":"security_key"}"#

    /// - Parameter reports: what the metadata report of the model; `nil` leaves metadata out.
    private func house(
        trust: String, roots: [[UInt8]] = [], knowing reports: [JSONValue]? = nil,
        _ change: (inout WebAuthnPolicy) -> Void = { _ in }
    ) async throws -> PagesHouse {
        var policy = ProjectPolicy()
        policy.webauthn.attestation = "direct"
        policy.webauthn.attestationTrust = trust
        policy.webauthn.trustRoots = roots.map { Base64.encode($0) }
        change(&policy.webauthn)
        let clock = ManualClock()
        let refresh = try reports.map { try metadata($0, clock) }
        if let refresh { #expect(await refresh.refresh() == .replaced(7)) }
        return try await PagesHouse(policy: policy, metadata: refresh, clock: clock)
    }

    private func metadata(
        _ reports: [JSONValue], _ clock: ManualClock
    ) throws -> MetadataRefresh {
        var statement = Publisher.statement()
        statement["attestationRootCertificates"] = [.string(Base64.encode(try maker.root.der))]
        statement["icon"] = .string(Publisher.picture)
        let entry = Publisher.entry(reports: reports, statement: statement)
        let blob = try publisher.blob(Publisher.payload(entries: [entry]))
        let verifier = try publisher.verifier()
        return MetadataRefresh(
            verifier: { verifier }, clock: clock, staleAfter: .days(30), fetch: { .blob(blob) })
    }

    private func passkey(_ house: PagesHouse) throws -> SoftwarePasskey {
        var passkey = try SoftwarePasskey(
            origin: PagesHouse.issuer, relyingPartyID: "localhost", random: house.random)
        passkey.aaguid = try #require(AAGUID(Publisher.model)).bytes
        passkey.attachment = "cross-platform"
        passkey.transports = ["usb"]
        return passkey
    }

    private func begin(_ browser: inout Browser, _ question: String) async throws -> String {
        let answer = try await browser.post(
            json: question, to: "/webauthn/registration/options")
        let body = try JSONParser.parseObject(answer.response.body, maximumBytes: 65_536)
        #expect(body["publicKey"]?["attestation"]?.string == "direct")
        return try #require(body["ceremony"]?.string, "\(answer.text)")
    }

    private func finish(
        _ browser: inout Browser, _ ceremony: String, _ credential: String
    ) async throws -> Answer {
        try await browser.post(
            json: "{\"ceremony\":\"\(ceremony)\",\"credential\":\(credential)}",
            to: "/webauthn/registration/verify")
    }

    /// Registers a key of the maker, or of another one.
    private func add(
        _ browser: inout Browser, _ question: String = addition,
        by other: AttestationAuthority? = nil
    ) async throws -> Answer {
        let authority = other ?? maker
        let ceremony = try await begin(&browser, question)
        var leaf = AttestationAuthority.Leaf()
        let passkey = try passkey(browser.house)
        leaf.extensions = [try AttestationAuthority.aaguid(passkey.aaguid)]
        let issued = try authority.issue(leaf)
        let attestation = PackedAttestation(
            by: issued, path: [try issued.der, try authority.intermediate.der])
        let credential = try passkey.registration(
            challenge: ceremony, packed: attestation.statement)
        return try await finish(&browser, ceremony, credential)
    }

    private func code(_ answer: Answer) throws -> String? {
        try JSONParser.parseObject(answer.response.body, maximumBytes: 65_536)["code"]?.string
    }

    private func keys(_ house: PagesHouse) async throws -> [Credential] {
        try await house.provider.store.credentials.credentials(of: house.person("anna").id)
            .filter { $0.kind == .publicKey }
    }
}
