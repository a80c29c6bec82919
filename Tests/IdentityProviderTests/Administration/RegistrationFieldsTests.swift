// SPDX-License-Identifier: Apache-2.0
import Crypto
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderSettings
import ProviderSupport
import Storage
import Support
import Testing

/// `projects[].registration` in state documents: PINs, accepted apps, identity providers.
@Suite struct RegistrationFieldsTests {
    private func document(_ registration: JSONValue) -> JSONValue {
        ["projects": [["name": "default", "registration": registration]]]
    }

    private func firstProblem(_ registration: JSONValue) -> LocatedValidationIssue? {
        do throws(StateDocumentError) {
            _ = try StateParser.parse(document(registration))
            return nil
        } catch { return error.problems.first }
    }

    static let application: JSONValue = [
        "package": "org.example.notes", "fingerprints": [.string(fingerprint)],
    ]
    private static let fingerprint = Array(repeating: "AB", count: 32).joined(separator: ":")

    @Test(
        "What cannot be is named with its place",
        arguments: [
            (["pin": ["use": "always"]], "pin", "use must be one of"),
            (["pin": ["length": 4]], "pin", "length must be"),
            (["pin": ["length": "5"]], "pin", "length must be"),
            (["pin": ["length": 5, "maximum_repeats": 6]], "pin", "maximum_repeats"),
            (["pin": ["blocked": ["1234"]]], "pin", "1234"),
            (["pin": ["blocked": ["1234x"]]], "pin", "1234x"),
            (["pin": ["attempts": 0]], "pin", "attempts must be"),
            (["pin": ["attempts": 11]], "pin", "attempts must be"),
            (["pin": ["lenght": 5]], "pin", "length"),
            (["pin": 5], "pin", "must be an object"),
            (["pin": ["implicit_scopes": ["offline_access"]]], "pin", "requires the PIN"),
            (["pin": ["implicit_scopes": ["a b"]]], "pin", "a single scope value"),
            (["authenticators": ["Face"]], "authenticators", "biometric"),
            (["authenticators": "biometric"], "authenticators", "array"),
            (["device_scopes": ["openid"]], "device_scopes", "a scope for people"),
            (["device_scopes": ["a b"]], "device_scopes", "a single scope value"),
            (["apple": ["applications": ["org.example.notes"]]], "apple", "App ID"),
            (["apple": ["applications": ["TEAM123456.*"]]], "apple", "App ID"),
            (["apple": ["environment": "sandbox"]], "apple", "environment"),
            (["apple": ["roots": ["x"]]], "apple", "entry 1"),
            (["apple": ["assertions": "never"]], "apple", "assertions"),
            (["apple": ["device_check_address": "http://example.com"]], "apple", "https"),
            (["apple": ["device_check_key": "x"]], "apple.device_check_key", "P-256"),
            (
                ["apple": ["device_check_key_file": "k.p8"]], "apple.device_check_key_file",
                "only by the gatehouse command"
            ),
            (["android": ["applications": [[:]]]], "android", "row 1: package is missing"),
            (
                ["android": ["applications": [["package": "org.example.notes"]]]], "android",
                "\"org.example.notes\" fingerprints is empty"
            ),
            (
                [
                    "android": [
                        "applications": [
                            RegistrationFieldsTests.application,
                            RegistrationFieldsTests.application,
                        ]
                    ]
                ], "android",
                "row 2 repeats the name"
            ),
            (["android": ["minimum_level": "hard"]], "android", "minimum_level"),
            (["android": ["revocation": "maybe"]], "android", "revocation"),
            (
                ["android": ["play_decryption_key": "AAAA"]], "android.play_decryption_key",
                "32 bytes"
            ),
            (["identity_providers": [[:]]], "identity_providers", "id is missing"),
            (["identity_providers": [["id": "badge"]]], "identity_providers", "url is missing"),
            (
                ["identity_providers": [["id": "badge", "url": "http://people.example/"]]],
                "identity_providers", "https"
            ),
            (
                ["identity_providers": [["id": "badge", "url": "https://a@b.example/"]]],
                "identity_providers", "https"
            ),
            (["identity_providers": [["id": "Badge"]]], "identity_providers", "lowercase"),
            (["identity_providers": [["attempts": 100]]], "identity_providers", "attempts"),
            (["methods": ["appAttest"]], "apple", "applications is empty"),
            (["methods": ["deviceCheck"]], "apple", "device_check_key_id"),
            (["methods": ["keyAttestation"]], "android", "applications is empty"),
            (
                [
                    "methods": ["playIntegrity"],
                    "android": ["applications": [RegistrationFieldsTests.application]],
                ],
                "android", "play_verification_key"
            ),
        ] as [(JSONValue, String, String)])
    func refusals(registration: JSONValue, place: String, words: String) throws {
        let problem = try #require(firstProblem(registration))
        #expect(problem.path == "projects[0].registration.\(place)")
        #expect(problem.message.contains(words), "\(problem)")
    }

    @Test("Secrets are sealed, never displayed, unchanged if they are omitted, and replaced")
    func secrets() async throws {
        let provider = try await TestProvider.make()
        let facts = RequestMetadata(now: provider.clock.now, requestID: "r", address: "192.0.2.1")
        func apply(_ registration: JSONValue) async throws -> StateChange? {
            let state = try StateParser.parse(document(registration))
            return try await StateReconciler(provider).apply(state, facts: facts).get().first
        }
        let pem = P256.Signing.PrivateKey().pemRepresentation
        let rules: JSONValue = [
            "methods": ["deviceCheck"],
            "apple": [
                "device_check_key_id": "K", "device_check_team_id": "T",
                "device_check_key": .string(pem),
            ],
        ]
        let first = try #require(try await apply(rules))
        let field = try #require(
            first.fields.first { $0.name == "registration.device_check_key" })
        #expect(field.from == nil && field.to == nil)
        #expect(try await apply(rules)?.action == .unchanged)
        // The export has no secret, and takes none away.
        let export = try await StateExport(provider).document(project: "default")
        #expect(!export.text.contains("PRIVATE"))
        let shown = try #require(export["projects"]?.array?.first?["registration"])
        #expect(try await apply(shown)?.action == .unchanged)
        let stored = try #require(try await provider.store.projects.project(named: "default"))
        let sealed = try #require(stored.policy.registration.secrets["device_check_key"])
        #expect(!sealed.contains("PRIVATE"))
        let renewed: JSONValue = [
            "methods": ["deviceCheck"],
            "apple": [
                "device_check_key_id": "K", "device_check_team_id": "T",
                "device_check_key": .string(P256.Signing.PrivateKey().pemRepresentation),
            ],
        ]
        let change = try #require(try await apply(renewed))
        #expect(change.fields.map(\.name) == ["registration.device_check_key"])
    }

    @Test("What is exported can be applied, and is the same")
    func roundTrip() async throws {
        let provider = try await TestProvider.make()
        let facts = RequestMetadata(now: provider.clock.now, requestID: "r", address: "192.0.2.1")
        let rules: JSONValue = [
            "methods": ["signedJWT", "keyAttestation", "customTwoStep"],
            "second_installations": true,
            "pin": ["use": "required", "length": 6, "blocked": ["123456"], "attempts": 3],
            "android": ["applications": [Self.application], "minimum_level": "strong_box"],
            "identity_providers": [
                ["id": "badge", "url": "http://127.0.0.1:9310/", "two_step": true]
            ],
        ]
        let state = try StateParser.parse(document(rules))
        _ = try await StateReconciler(provider).apply(state, facts: facts).get()
        let export = try await StateExport(provider).document(project: "default")
        let shown = try #require(export["projects"]?.array?.first?["registration"])
        let again = try StateParser.parse(document(shown))
        let changes = try await StateReconciler(provider).plan(again).get()
        #expect(changes.allSatisfy { $0.action == .unchanged })
        #expect(shown["pin"]?["length"] == 6)
        #expect(shown["identity_providers"]?.array?.first?["timeout"] == 10)
    }
}
