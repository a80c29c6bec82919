// SPDX-License-Identifier: Apache-2.0
import JOSE
import Testing
import WebAuthn

/// What pages are told and what they tell: signals, capabilities.
@Suite struct ClientMessageTests {
    @Test("Signals print as the methods of their name take them")
    func signals() {
        let unknown = SignalPayload.unknownCredential(
            relyingPartyId: "example.org", credentialId: [1, 2])
        #expect(unknown.method == "signalUnknownCredential")
        #expect(unknown.json.text == #"{"rpId":"example.org","credentialId":"AQI"}"#)
        let all = SignalPayload.allAcceptedCredentials(
            relyingPartyId: "example.org", userId: [7], credentialIds: [[1], [2]])
        #expect(all.method == "signalAllAcceptedCredentials")
        #expect(
            all.json.text
                == #"{"rpId":"example.org","userId":"Bw","allAcceptedCredentialIds":["AQ","Ag"]}"#)
        let details = SignalPayload.currentUserDetails(
            relyingPartyId: "example.org", userId: [7], name: "anna", displayName: "Anna \"A\"")
        #expect(details.method == "signalCurrentUserDetails")
        #expect(
            details.json.text == """
                {"rpId":"example.org","userId":"Bw","name":"anna","displayName":"Anna \\"A\\""}
                """)
    }

    @Test("Capabilities are three-valued")
    func capabilities() throws {
        let json: JSONValue = [
            "conditionalGet": true, "conditionalCreate": false, "extension:prf": true, "new": true,
        ]
        let capabilities = try #require(ClientCapabilities(json))
        #expect(capabilities.can(.conditionalGet) == true)
        #expect(capabilities.can(.conditionalCreate) == false)
        #expect(capabilities.can(.relatedOrigins) == nil)
        #expect(capabilities.supports(extension: "prf") == true)
        #expect(capabilities.supports(extension: "largeBlob") == nil)
    }

    @Test("What is no list of flags says nothing")
    func noCapabilities() {
        let flood = JSONValue.object(
            JSONObject((0..<129).map { .init(name: "c\($0)", value: true) }))
        for json in [.null, [], "x", ["conditionalGet": "yes"], flood] as [JSONValue] {
            #expect(ClientCapabilities(json) == nil)
        }
    }

    @Test("Conditional creation requires no user presence; any other creation does (8)")
    func conditionalCreate() async throws {
        var ceremony = RegistrationCeremony()
        ceremony.passkey.flags = 0b0001_1000
        #expect(
            await ceremony.verify().refusal == refusal(.registration, 15, .userPresenceMissing))
        ceremony.expectation.isConditional = true
        _ = try await ceremony.verify().get()
        // Verification that is required is required all the same.
        ceremony.expectation.userVerification = .required
        #expect(
            await ceremony.verify().refusal == refusal(.registration, 16, .userVerificationMissing))
    }

    @Test("Step 18: backup eligibility is as policy wants it (16)")
    func backupPolicy() async throws {
        var ceremony = RegistrationCeremony()
        for (flags, policy) in [
            (0b0001_1101, BackupPolicy.prohibited), (0b0000_1101, .prohibited),
            (0b0000_0101, .required),
        ] as [(UInt8, BackupPolicy)] {
            ceremony.passkey.flags = flags
            ceremony.expectation.backup = policy
            #expect(
                await ceremony.verify().refusal
                    == refusal(.registration, 18, .backupEligibilityNotAllowed))
            ceremony.expectation.backup = .allowed
            _ = try await ceremony.verify().get()
        }
        ceremony.passkey.flags = 0b0000_0101
        ceremony.expectation.backup = .prohibited
        _ = try await ceremony.verify().get()
        ceremony.passkey.flags = 0b0000_1101
        ceremony.expectation.backup = .required
        _ = try await ceremony.verify().get()
    }
}
