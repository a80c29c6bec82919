// SPDX-License-Identifier: Apache-2.0
import CBOR
import JOSE
import Primitives
import Testing
import WebAuthn

/// Step 7.2.23 and the AppID's part of step 7.2.15 (attacks 6 and 28).
@Suite struct AuthenticationExtensionTests {
    private static let appID = "https://example.org/u2f"
    private static let secret = Base64URL.encode([UInt8](repeating: 0x5A, count: 32))

    /// An assertion under the hash of the AppID, as an old U2F key makes it.
    private static func underAppID() -> AssertionCeremony {
        var ceremony = AssertionCeremony()
        ceremony.passkey.rpId = appID
        ceremony.expectation.extensions.appID = appID
        ceremony.clientExtensions["appid"] = true
        return ceremony
    }

    @Test("An assertion under the AppID is accepted when the request named it")
    func appID() throws {
        let verified = try Self.underAppID().verify().get()
        #expect(verified.extensionResults.usedAppID)
    }

    @Test("Attack 6: the AppID's hash is refused when the request did not name it, or another")
    func appIDNotRequested() throws {
        var ceremony = Self.underAppID()
        ceremony.expectation.extensions.appID = nil
        #expect(try ceremony.verify().refusal == refusal(.authentication, 15, .rpIdMismatch))
        ceremony.expectation.extensions.appID = Self.appID + "/"
        #expect(try ceremony.verify().refusal == refusal(.authentication, 15, .rpIdMismatch))
    }

    @Test("Attack 6: the AppID's hash is refused when the client does not say that it used it")
    func appIDUnsaid() throws {
        for value in [nil, false, "true", 1] as [JSONValue?] {
            var ceremony = Self.underAppID()
            ceremony.clientExtensions["appid"] = value
            #expect(try ceremony.verify().refusal == refusal(.authentication, 15, .rpIdMismatch))
        }
    }

    @Test("Attack 6: the RP ID's hash is refused when the client says that it used the AppID")
    func appIDFalselySaid() throws {
        var ceremony = Self.underAppID()
        ceremony.passkey.rpId = "example.org"
        #expect(try ceremony.verify().refusal == refusal(.authentication, 15, .rpIdMismatch))
        ceremony.clientExtensions["appid"] = false
        #expect(try ceremony.verify().get().extensionResults.usedAppID == false)
    }

    @Test("Attack 28: appid true without a request is refused, whatever the policy")
    func appIDUnsolicited() throws {
        var ceremony = AssertionCeremony()
        ceremony.clientExtensions["appid"] = true
        #expect(
            try ceremony.verify().refusal
                == refusal(.authentication, 23, .extensionOutputUnexpected))
        ceremony.clientExtensions["appid"] = false
        _ = try ceremony.verify().get()
    }

    @Test("Outputs that were asked for are read, each of its type")
    func accepted() throws {
        var ceremony = AssertionCeremony()
        ceremony.expectation.extensions.pseudoRandomInputs = PRFValues(first: [1], second: [2])
        ceremony.expectation.extensions.largeBlob = .read
        ceremony.expectation.extensions.credentialBlob = true
        ceremony.expectation.extensions.userVerificationMethod = true
        ceremony.expectation.extensionPolicy.unsolicited = .refuse
        ceremony.clientExtensions["prf"] = [
            "results": ["first": .string(Self.secret), "second": .string(Self.secret)]
        ]
        ceremony.clientExtensions["largeBlob"] = ["blob": "AQI"]
        ceremony.clientExtensions["uvm"] = [[2, 4, 2], [1, 1, 1]]
        ceremony.authenticatorExtensions = [
            CBOREntry(.text("credBlob"), .byteString([9])),
            CBOREntry(.text("hmac-secret"), .byteString([1, 2, 3])),
        ]
        let results = try ceremony.verify().get().extensionResults
        #expect(results.pseudoRandomResults?.second?.reveal().count == 32)
        #expect(results.largeBlob == [1, 2] && results.wroteLargeBlob == nil)
        #expect(results.credentialBlob == [9])
        #expect(results.userVerificationMethods == [.fingerprintInternal, .presenceInternal])
        #expect(!"\(results)".contains("90, 90"))
    }

    @Test("Inputs print as clients read them")
    func inputs() {
        var inputs = AuthenticationExtensions()
        inputs.appID = Self.appID
        inputs.pseudoRandomInputsByCredential = [([1], PRFValues(first: [2]))]
        inputs.largeBlob = .write([3])
        inputs.credentialBlob = true
        #expect(
            JSONValue.object(inputs.json).text == """
                {"appid":"https://example.org/u2f",\
                "prf":{"evalByCredential":{"AQ":{"first":"Ag"}}},"largeBlob":{"write":"Aw"},\
                "getCredBlob":true}
                """)
        inputs = AuthenticationExtensions()
        inputs.pseudoRandomInputs = PRFValues(first: [1])
        inputs.largeBlob = .read
        inputs.others["example.extension"] = 7
        #expect(
            JSONValue.object(inputs.json).text == """
                {"example.extension":7,"prf":{"eval":{"first":"AQ"}},"largeBlob":{"read":true}}
                """)
    }

    @Test("Attack 28: outputs that were not requested are ignored, or refused by policy")
    func unsolicited() throws {
        for (name, value) in [("prf", [:]), ("x", true), ("largeBlob", 1)] as [(String, JSONValue)]
        {
            var ceremony = AssertionCeremony()
            ceremony.clientExtensions[name] = value
            #expect(try ceremony.verify().get().extensionResults.largeBlob == nil)
            ceremony.expectation.extensionPolicy.unsolicited = .refuse
            #expect(
                try ceremony.verify().refusal
                    == refusal(.authentication, 23, .extensionOutputUnexpected))
        }
        var ceremony = AssertionCeremony()
        ceremony.authenticatorExtensions = [CBOREntry(.text("credBlob"), .byteString([1]))]
        #expect(try ceremony.verify().get().extensionResults.credentialBlob == nil)
        ceremony.expectation.extensionPolicy.unsolicited = .refuse
        #expect(
            try ceremony.verify().refusal
                == refusal(.authentication, 23, .extensionOutputUnexpected))
    }

    @Test("Outputs that were asked for and are not of their form are refused")
    func malformed() throws {
        let spoilt: [(String, JSONValue)] = [
            ("prf", 1), ("prf", ["results": "x"]), ("prf", ["results": ["first": "AQ"]]),
            ("largeBlob", "AQI"), ("largeBlob", ["blob": "AQ=="]), ("largeBlob", ["written": 1]),
            ("uvm", [2, 4, 2]), ("uvm", [[2.5, 4, 2]]), ("uvm", [[-1, 4, 2]]),
        ]
        for (name, value) in spoilt {
            var ceremony = AssertionCeremony()
            ceremony.expectation.extensions.pseudoRandomInputs = PRFValues(first: [1])
            ceremony.expectation.extensions.largeBlob = .read
            ceremony.expectation.extensions.userVerificationMethod = true
            ceremony.clientExtensions[name] = value
            #expect(
                try ceremony.verify().refusal
                    == refusal(.authentication, 23, .extensionOutputMalformed), "\(name)")
        }
        for value in [.unsigned(1), .byteString([UInt8](repeating: 0, count: 65))] as [CBORValue] {
            var ceremony = AssertionCeremony()
            ceremony.expectation.extensions.credentialBlob = true
            ceremony.authenticatorExtensions = [CBOREntry(.text("credBlob"), value)]
            #expect(
                try ceremony.verify().refusal
                    == refusal(.authentication, 23, .extensionOutputMalformed))
        }
    }
}
