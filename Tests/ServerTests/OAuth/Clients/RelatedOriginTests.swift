// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import JOSE
import ProviderAdministration
import ProviderSettings
import Storage
import Support
import Testing

/// `/.well-known/webauthn`, WebAuthn Level 3 section 5.11.
@Suite struct RelatedOriginTests {
    @Test("the origins that the project lists are served, and said where")
    func served() async throws {
        let house = try await OAuthHouse()
        #expect(
            try house.json(try await house.get("/.well-known/webauthn"))["origins"]?.strings == [])
        _ = try await house.change { $0.relatedOrigins = ["https://login.example.net"] }
        let answer = try await house.get("/.well-known/webauthn")
        #expect(answer.status == .ok)
        #expect(answer.headers[.contentType] == "application/json")
        #expect(try house.json(answer)["origins"]?.strings == ["https://login.example.net"])
        let document = try house.json(try await house.get("/.well-known/gatehouse"))
        #expect(
            document["webauthn"]?["related_origins"]?.string
                == OAuthHouse.issuer + "/.well-known/webauthn")
    }

    @Test("one name in many countries is one name, and takes one of the five places")
    func countries() throws {
        let hosts = ["com", "co.uk", "com.au", "co.jp", "de", "fr", "com.br", "co.nz"]
        let list = hosts.map { JSONValue.string("https://login.example.\($0)") }
        _ = try StateParser.parse([
            "projects": [["name": "default", "webauthn": ["related_origins": .array(list)]]]
        ])
    }

    @Test("Attack 32: the document leads nowhere, whatever is asked of it")
    func noRedirect() async throws {
        let house = try await OAuthHouse()
        for query in ["?next=https://evil.example", "?redirect_uri=//evil.example", "?"] {
            let answer = try await house.get("/.well-known/webauthn" + query)
            #expect(answer.status == .ok)
            #expect(answer.headers[.location] == nil)
        }
    }

    @Test(
        "Attack 32: a list that is too broad, or no list of origins, is refused when it is set",
        arguments: [
            ["https://*.example.com"], ["http://login.example.com"], ["https://example.com/"],
            ["https://example.com/path"], ["https://user@example.com"], ["null"],
            ["https://a.example", "https://a.example"],
            (0..<6).map { "https://login.site\($0).example" },
            // Six sites under a public suffix of two labels are six, not one.
            (0..<6).map { "https://login.site\($0).co.uk" },
            ["https://co.uk"], ["https://192.0.2.1"],
        ])
    func tooBroad(origins: [String]) throws {
        let list = JSONValue.array(origins.map { .string($0) })
        #expect(throws: StateDocumentError.self) {
            try StateParser.parse([
                "projects": [["name": "default", "webauthn": ["related_origins": list]]]
            ])
        }
    }

    @Test(
        "incompatible or unknown settings are refused with a hint",
        arguments: [
            (["attestaton": "none"], "attestation"), (["attestation": "drect"], "direct"),
            (["attestation_trust": "any"], "attestation: direct"),
            (["attestation": "direct", "attestation_trust": "roots"], "trust_roots"),
            (["allowed_aaguids": ["ee882879-721c-4913-9775-3dfcce97072a"]], "metadata"),
            (["denied_aaguids": ["EE882879"]], "AAGUID"), (["algorithms": ["RS1"]], "rs1"),
            (["trust_roots": ["AAAA"]], "certificate"),
        ] as [(JSONValue, String)])
    func rules(webauthn: JSONValue, hint: String) throws {
        do throws(StateDocumentError) {
            _ = try StateParser.parse([
                "projects": [["name": "default", "webauthn": webauthn]]
            ])
            Issue.record("taken: \(webauthn)")
        } catch {
            #expect(error.problems.contains { $0.description.contains(hint) }, "\(error.problems)")
        }
    }
}
