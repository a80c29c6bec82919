// SPDX-License-Identifier: Apache-2.0
import CBOR
import JOSE
import Primitives
import Testing
import WebAuthn

/// Step 7.1.28: extension outputs of a new credential (attack 28).
@Suite struct RegistrationExtensionTests {
    private static let secret = Base64URL.encode([UInt8](repeating: 0x5A, count: 32))

    /// Everything asked for, everything answered.
    private static func full() -> RegistrationCeremony {
        var ceremony = RegistrationCeremony()
        ceremony.expectation.extensions.credentialProperties = true
        ceremony.expectation.extensions.pseudoRandomInputs = PRFValues(first: [1])
        ceremony.expectation.extensions.largeBlob = .preferred
        ceremony.expectation.extensions.credentialProtection = .userVerificationRequired
        ceremony.expectation.extensions.minimumPINLength = true
        ceremony.expectation.extensions.credentialBlob = [1, 2]
        ceremony.expectation.extensions.appIDExclude = "https://example.org/u2f"
        ceremony.expectation.extensions.userVerificationMethod = true
        ceremony.clientExtensions["credProps"] = ["rk": true]
        ceremony.clientExtensions["prf"] = [
            "enabled": true, "results": ["first": .string(secret)],
        ]
        ceremony.clientExtensions["largeBlob"] = ["supported": false]
        ceremony.clientExtensions["appidExclude"] = true
        ceremony.authenticatorExtensions = [
            CBOREntry(.text("credProtect"), .unsigned(3)),
            CBOREntry(.text("credBlob"), .bool(true)),
            CBOREntry(.text("minPinLength"), .unsigned(8)),
            CBOREntry(
                .text("uvm"), .array([.array([.unsigned(0x800), .unsigned(4), .unsigned(2)])])),
            CBOREntry(.text("hmac-secret"), .bool(true)),
        ]
        return ceremony
    }

    @Test("Outputs that were asked for are read, each of its type")
    func accepted() async throws {
        var ceremony = Self.full()
        for unsolicited in ExtensionPolicy.Unsolicited.allCases {
            ceremony.expectation.extensionPolicy.unsolicited = unsolicited
            let results = try await ceremony.verify().get().extensionResults
            #expect(results.isDiscoverable == true)
            #expect(results.hasPseudoRandomFunction == true)
            #expect(
                results.pseudoRandomResults?.first.reveal() == [UInt8](repeating: 0x5A, count: 32))
            #expect(results.pseudoRandomResults?.second == nil)
            #expect(results.supportsLargeBlob == false)
            #expect(results.credentialProtection == .userVerificationRequired)
            #expect(results.minimumPINLength == 8)
            #expect(results.storedCredentialBlob == true)
            #expect(results.excludedByAppID == true)
            #expect(results.userVerificationMethods == [.passcodeExternal])
        }
    }

    @Test("Inputs print as clients read them")
    func inputs() {
        var inputs = Self.full().expectation.extensions
        inputs.enforcesCredentialProtection = true
        #expect(
            JSONValue.object(inputs.json).text == """
                {"credProps":true,"prf":{"eval":{"first":"AQ"}},"largeBlob":{"support":"preferred"},\
                "credentialProtectionPolicy":"userVerificationRequired",\
                "enforceCredentialProtectionPolicy":true,"minPinLength":true,"credBlob":"AQI",\
                "appidExclude":"https://example.org/u2f","uvm":true}
                """)
        #expect(RegistrationExtensions().json.isEmpty)
    }

    @Test("Attack 28: outputs that were not requested are ignored, or refused by policy")
    func unsolicited() async throws {
        let client: [(String, JSONValue)] = [
            ("credProps", ["rk": true]), ("prf", ["enabled": true]), ("appid", true), ("x", .null),
            ("largeBlob", "nonsense"),
        ]
        for (name, value) in client {
            var ceremony = RegistrationCeremony()
            ceremony.clientExtensions[name] = value
            let results = try await ceremony.verify().get().extensionResults
            #expect(results.isDiscoverable == nil && results.supportsLargeBlob == nil)
            ceremony.expectation.extensionPolicy.unsolicited = .refuse
            #expect(
                await ceremony.verify().refusal
                    == refusal(.registration, 28, .extensionOutputUnexpected))
        }
        for name in ["credProtect", "hmac-secret", "uvm", "unheard-of"] {
            var ceremony = RegistrationCeremony()
            ceremony.authenticatorExtensions = [CBOREntry(.text(name), .unsigned(2))]
            _ = try await ceremony.verify().get()
            ceremony.expectation.extensionPolicy.unsolicited = .refuse
            #expect(
                await ceremony.verify().refusal
                    == refusal(.registration, 28, .extensionOutputUnexpected))
        }
    }

    @Test("Attack 28: a credential that is protected less than was asked is refused by policy")
    func weakerProtection() async throws {
        for given in [nil, 1, 2] as [UInt64?] {
            var ceremony = RegistrationCeremony()
            ceremony.expectation.extensions.credentialProtection = .userVerificationRequired
            if let given {
                ceremony.authenticatorExtensions = [
                    CBOREntry(.text("credProtect"), .unsigned(given))
                ]
            }
            #expect(
                await ceremony.verify().refusal
                    == refusal(.registration, 28, .credentialProtectionWeaker))
            ceremony.expectation.extensionPolicy.refusesWeakerProtection = false
            _ = try await ceremony.verify().get()
        }
        var ceremony = RegistrationCeremony()
        ceremony.expectation.extensions.credentialProtection =
            .userVerificationOptionalWithCredentialIDList
        ceremony.authenticatorExtensions = [CBOREntry(.text("credProtect"), .unsigned(3))]
        _ = try await ceremony.verify().get()
    }

    @Test("Outputs that were asked for and are not of their form are refused")
    func malformed() async {
        let short = Base64URL.encode([UInt8](repeating: 1, count: 31))
        let client: [(String, JSONValue)] = [
            ("credProps", true), ("credProps", ["rk": "yes"]), ("prf", []), ("prf", ["enabled": 1]),
            ("prf", ["results": []]), ("prf", ["results": [:]]),
            ("prf", ["results": ["first": .string(short)]]),
            ("prf", ["results": ["first": .string(Self.secret), "second": 1]]),
            ("largeBlob", ["supported": "no"]), ("appidExclude", "true"),
        ]
        for (name, value) in client {
            var ceremony = Self.full()
            ceremony.clientExtensions[name] = value
            #expect(
                await ceremony.verify().refusal
                    == refusal(.registration, 28, .extensionOutputMalformed), "\(name)")
        }
        let authenticator: [(String, CBORValue)] = [
            ("credProtect", .unsigned(0)), ("credProtect", .unsigned(4)),
            ("credProtect", .unsigned(.max)), ("credProtect", .text("3")),
            ("credBlob", .unsigned(1)), ("minPinLength", .unsigned(3)),
            ("minPinLength", .unsigned(.max)), ("minPinLength", .text("4")),
            ("uvm", .unsigned(2)), ("uvm", .array([])), ("uvm", .array([.array([.unsigned(2)])])),
            ("uvm", .array([.array([.unsigned(1 << 40), .unsigned(1), .unsigned(1)])])),
            ("uvm", .array([CBORValue](repeating: .array([.unsigned(2)]), count: 4))),
        ]
        for (name, value) in authenticator {
            var ceremony = Self.full()
            ceremony.authenticatorExtensions = ceremony.authenticatorExtensions?.map {
                $0.key == .text(name) ? CBOREntry($0.key, value) : $0
            }
            #expect(
                await ceremony.verify().refusal
                    == refusal(.registration, 28, .extensionOutputMalformed), "\(name)")
        }
    }

    @Test("A flood of outputs is refused")
    func flood() async {
        var ceremony = RegistrationCeremony()
        for number in 0..<65 { ceremony.clientExtensions["x\(number)"] = true }
        #expect(
            await ceremony.verify().refusal == refusal(.registration, 28, .extensionOutputMalformed)
        )
    }

    @Test("Attack 28: results of prf do not get into any description")
    func redacted() async throws {
        let ceremony = Self.full()
        let verified = try await ceremony.verify().get()
        let response = UnverifiedRegistration(
            id: [1], clientDataJSON: [2], attestationObject: [3],
            clientExtensionResults: ceremony.clientExtensions)
        var texts = ["\(verified)", "\(verified.extensionResults)", "\(response)"]
        for value in [verified, response, verified.extensionResults] as [Any] {
            var text = ""
            dump(value, to: &text)
            texts.append(text)
            texts.append(String(reflecting: value))
        }
        for text in texts {
            #expect(!text.contains(Self.secret) && !text.contains("90, 90"))
        }
        #expect(verified.clientExtensionResults["prf"] == ["enabled": true])
    }
}
