// SPDX-License-Identifier: Apache-2.0
import CBOR
import CTAP
import Primitives
import Support
import Testing
import WebAuthn

/// `authenticatorMakeCredential` and `authenticatorGetAssertion` from the key's side.
@Suite struct MakeCredentialTests {
    private func data(_ response: MakeCredentialResponse) throws -> AuthenticatorData {
        try AuthenticatorData(response.authenticatorData[...])
    }

    private func id(_ response: MakeCredentialResponse) throws -> [UInt8] {
        Array(try #require(try data(response).attestedCredential).credentialId)
    }

    private func signed(
        _ response: GetAssertionResponse, by made: MakeCredentialResponse
    ) throws -> Bool {
        let key = try COSEPublicKey(try #require(try data(made).attestedCredential).publicKey)
        return key.isValid(
            signature: response.signature[...], over: response.authenticatorData[...],
            TestKey.clientDataHash)
    }

    @Test("A credential is made and signs", arguments: [-7, -8, -35] as [Int64], [true, false])
    func roundTrip(_ algorithm: Int64, _ discoverable: Bool) async throws {
        let key = try TestKey()
        let made = try await key.make(
            TestKey.creation(algorithms: [algorithm], discoverable: discoverable))
        #expect(try data(made).flags == [.userPresent, .attestedCredentialData])
        let response = try await key.get(TestKey.assertion(allow: [id(made)]))
        #expect(try signed(response, by: made))
        #expect(response.credential?.id == (try id(made)))
        #expect(response.user?.id == (discoverable ? [1] : nil))
        let first = try data(made).signCount
        #expect(try AuthenticatorData(response.authenticatorData[...]).signCount > first)
    }

    @Test("The first algorithm that the key can make is taken; without one it refuses")
    func algorithms() async throws {
        let key = try TestKey()
        let made = try await key.make(TestKey.creation(algorithms: [-257, .min, -8, -7]))
        let credential = try #require(try data(made).attestedCredential)
        #expect(try COSEPublicKey(credential.publicKey).algorithm == .edDSA)
        await #expect(throws: CTAPStatus.unsupportedAlgorithm) {
            try await key.make(TestKey.creation(algorithms: [-257, -65535]))
        }
        await #expect(throws: CTAPStatus.unsupportedAlgorithm) {
            try await key.make(TestKey.creation(algorithms: []))
        }
        #expect(key.gesture.takePrompts().count == 1)
    }

    @Test("Attack 38: every prompt names its operation, and no touch authorizes another")
    func prompts() async throws {
        let key = try TestKey()
        _ = try await key.make(TestKey.creation(discoverable: true))
        _ = try await key.get(TestKey.assertion())
        try await key.send(.selection)
        try await key.send(.reset)
        #expect(
            key.gesture.takePrompts() == [
                .makeCredential(rpId: "example.com", user: "user1"),
                .getAssertion(rpId: "example.com"), .select, .reset(longTouch: false),
            ])
        #expect(GesturePrompt(.reset(longTouch: false)).sentence.contains("RESET"))
    }

    @Test("Attack 38: without the person's touch nothing is made, signed, reset or selected")
    func refusedTouch() async throws {
        let key = try TestKey()
        let made = try await key.make(TestKey.creation(discoverable: true))
        let requests: [CTAPRequest] = [
            .makeCredential(TestKey.creation()), .getAssertion(TestKey.assertion()), .reset,
            .selection,
        ]
        for (outcome, status) in [
            (GestureOutcome.denied, CTAPStatus.operationDenied), (.timedOut, .userActionTimeout),
        ] {
            for request in requests {
                key.gesture.answer(outcome)
                await #expect(throws: status, "\(request.command)") { try await key.send(request) }
            }
        }
        #expect(try signed(try await key.get(TestKey.assertion()), by: made))
    }

    @Test("A cancelled operation says so and leaves the key usable")
    func cancelled() async throws {
        let key = try TestKey()
        key.gesture.waitForCancel()
        let operation = Task { await key.key.respond(to: CTAPRequest.selection.frame()) }
        while key.gesture.takePrompts().isEmpty { await Task.yield() }
        let busy = await key.key.respond(to: CTAPRequest.getInfo.frame())
        #expect(busy == [CTAPStatus.channelBusy.rawValue])
        #expect(key.key.activity.keepalive == .userPresenceNeeded)
        operation.cancel()
        #expect(await operation.value == [CTAPStatus.keepaliveCancel.rawValue])
        try await key.send(.selection)
    }

    @Test("Attack 40: that a credential is here is said only after a touch")
    func excluded() async throws {
        let key = try TestKey()
        let made = try await key.make(TestKey.creation())
        _ = key.gesture.takePrompts()
        var request = TestKey.creation()
        request.excludeList = [CTAPCredentialDescriptor(id: try id(made))]
        key.gesture.answer(.denied)
        for _ in 0..<2 {
            await #expect(throws: CTAPStatus.credentialExcluded) { try await key.make(request) }
            #expect(key.gesture.takePrompts() == [.excludedCredential(rpId: "example.com")])
        }
        var other = TestKey.creation("example.org")
        other.excludeList = request.excludeList
        _ = try await key.make(other)
    }

    @Test("Attack 40: a credential that requires verification is not revealed without it")
    func excludedProtected() async throws {
        let key = try TestKey()
        var creation = TestKey.creation()
        var extensions = MakeCredentialExtensions()
        extensions.credProtect = 3
        creation.extensions = extensions
        let made = try await key.make(creation)
        var request = TestKey.creation()
        request.excludeList = [CTAPCredentialDescriptor(id: try id(made))]
        _ = try await key.make(request)
    }

    @Test("A credential of another key, relying party or reset, or a spoilt id, is not found")
    func foreignIds() async throws {
        let key = try TestKey()
        let made = try await id(key.make(TestKey.creation()))
        var spoilt = made
        spoilt[20] ^= 1
        let other = try await id(try TestKey(seed: 2).make(TestKey.creation()))
        for wrong in [spoilt, other, [], [1], [UInt8](repeating: 0, count: 1023)] {
            await #expect(throws: CTAPStatus.noCredentials) {
                try await key.get(TestKey.assertion(allow: [wrong]))
            }
        }
        await #expect(throws: CTAPStatus.noCredentials) {
            try await key.get(TestKey.assertion("example.org", allow: [made]))
        }
        try await key.send(.reset)
        await #expect(throws: CTAPStatus.noCredentials) {
            try await key.get(TestKey.assertion(allow: [made]))
        }
    }

    @Test("Options that do not fit are refused")
    func options() async throws {
        let key = try TestKey()
        var creation = TestKey.creation()
        creation.options = CTAPOptions(up: false)
        await #expect(throws: CTAPStatus.invalidOption) { try await key.make(creation) }
        creation.options = CTAPOptions(uv: true)
        await #expect(throws: CTAPStatus.invalidOption) { try await key.make(creation) }
        var assertion = TestKey.assertion()
        assertion.options = CTAPOptions(rk: true)
        await #expect(throws: CTAPStatus.unsupportedOption) { try await key.get(assertion) }
        assertion.options = CTAPOptions(uv: true)
        await #expect(throws: CTAPStatus.invalidOption) { try await key.get(assertion) }
        creation = TestKey.creation()
        var extensions = MakeCredentialExtensions()
        extensions.credProtect = 4
        creation.extensions = extensions
        await #expect(throws: CTAPStatus.invalidOption) { try await key.make(creation) }
        creation = TestKey.creation()
        creation.enterpriseAttestation = 1
        await #expect(throws: CTAPStatus.invalidParameter) { try await key.make(creation) }
        assertion = TestKey.assertion(allow: (0..<17).map { [$0] })
        await #expect(throws: CTAPStatus.limitExceeded) { try await key.get(assertion) }
    }

    @Test("An empty parameter requires a touch and reports whether there is a PIN")
    func probe() async throws {
        let key = try TestKey()
        var creation = TestKey.creation()
        creation.pinUvAuthParam = []
        var assertion = TestKey.assertion()
        assertion.pinUvAuthParam = []
        await #expect(throws: CTAPStatus.pinNotSet) { try await key.make(creation) }
        await #expect(throws: CTAPStatus.pinNotSet) { try await key.get(assertion) }
        try await key.setPIN("1234")
        await #expect(throws: CTAPStatus.pinInvalid) { try await key.make(creation) }
        key.gesture.answer(.denied)
        await #expect(throws: CTAPStatus.operationDenied) { try await key.get(assertion) }
        #expect(key.gesture.takePrompts() == [.probe, .probe, .probe, .probe])
    }

    @Test("With a PIN, a discoverable credential needs it, another does not")
    func pinForDiscoverable() async throws {
        let key = try TestKey()
        try await key.setPIN("1234")
        await #expect(throws: CTAPStatus.pinRequired) {
            try await key.make(TestKey.creation(discoverable: true))
        }
        _ = try await key.make(TestKey.creation())
        let made = try await key.make(
            TestKey.creation(discoverable: true)
                .authenticated(by: key.token("1234", .makeCredential, rpId: "example.com")))
        #expect(try data(made).flags.contains(.userVerified))
    }

    @Test("A key that always verifies makes and signs nothing without, U2F included")
    func alwaysVerifies() async throws {
        let key = try TestKey()
        let made = try await id(key.make(TestKey.creation()))
        try await key.send(.config(ConfigRequest(.toggleAlwaysUv)))
        let info = try await key.info()
        #expect(info.options?["alwaysUv"] == true)
        #expect(info.options?["makeCredUvNotRqd"] == false)
        #expect(!info.versions.contains("U2F_V2"))
        await #expect(throws: CTAPStatus.pinRequired) { try await key.make(TestKey.creation()) }
        await #expect(throws: CTAPStatus.pinRequired) {
            try await key.get(TestKey.assertion(allow: [made]))
        }
        var silent = TestKey.assertion(allow: [made])
        silent.options = CTAPOptions(up: false)
        _ = try await key.get(silent)
    }

    @Test("Credentials come newest first, and what else is left only by getNextAssertion")
    func several() async throws {
        let key = try TestKey()
        for user in 1...3 {
            _ = try await key.make(TestKey.creation(user: UInt8(user), discoverable: true))
        }
        _ = try await key.make(TestKey.creation("example.org", user: 9, discoverable: true))
        let first = try await key.get(TestKey.assertion())
        #expect(first.numberOfCredentials == 3)
        #expect(first.user == CTAPUser(id: [3]))
        #expect(try await key.next().user?.id == [2])
        #expect(try await key.next().user?.id == [1])
        await #expect(throws: CTAPStatus.notAllowed) { try await key.next() }
    }

    @Test("getNextAssertion is refused without, after another command, and after 30 seconds")
    func nextAssertion() async throws {
        let key = try TestKey()
        await #expect(throws: CTAPStatus.notAllowed) { try await key.next() }
        for user in 1...3 {
            _ = try await key.make(TestKey.creation(user: UInt8(user), discoverable: true))
        }
        _ = try await key.get(TestKey.assertion())
        _ = try await key.info()
        await #expect(throws: CTAPStatus.notAllowed) { try await key.next() }
        _ = try await key.get(TestKey.assertion())
        key.clock.advance(by: .seconds(30))
        await #expect(throws: CTAPStatus.notAllowed) { try await key.next() }
    }

    @Test("Names are shown only to those who were verified")
    func accountNames() async throws {
        let key = try TestKey()
        for user in 1...2 {
            _ = try await key.make(TestKey.creation(user: UInt8(user), discoverable: true))
        }
        #expect(try await key.get(TestKey.assertion()).user?.name == nil)
        try await key.setPIN("1234")
        let token = try await key.token("1234", .getAssertion, rpId: "example.com")
        let verified = try await key.get(TestKey.assertion().authenticated(by: token))
        #expect(verified.user?.name == "user2")
        #expect(try await key.next().user?.displayName == "User 1")
    }

    @Test("An account's new credential replaces its old one")
    func overwrites() async throws {
        let key = try TestKey()
        let old = try await id(key.make(TestKey.creation(discoverable: true)))
        let new = try await id(key.make(TestKey.creation(discoverable: true)))
        #expect(try await key.get(TestKey.assertion()).credential?.id == new)
        await #expect(throws: CTAPStatus.noCredentials) {
            try await key.get(TestKey.assertion(allow: [old]))
        }
    }

    @Test("Attack 41: a full key refuses, and still replaces what it has")
    func full() async throws {
        let key = try TestKey { $0.maximumDiscoverableCredentials = 2 }
        for user in 1...2 {
            _ = try await key.make(TestKey.creation(user: UInt8(user), discoverable: true))
        }
        await #expect(throws: CTAPStatus.keyStoreFull) {
            try await key.make(TestKey.creation(user: 3, discoverable: true))
        }
        _ = try await key.make(TestKey.creation(user: 2, discoverable: true))
        _ = try await key.make(TestKey.creation(user: 3))
    }

    @Test("Attack 41: a user id over 64 bytes is refused, unknown extensions and icons are ignored")
    func oddities() async throws {
        let key = try TestKey()
        var request = TestKey.creation()
        request.user = CTAPUser(id: [UInt8](repeating: 1, count: 65))
        await #expect(throws: CTAPStatus.invalidParameter) { try await key.make(request) }
        let entries = try #require(
            try CBORValue.decode(TestKey.creation().encode(), profile: .ctap2).entries)
        let icon = CBOREntry(.text("icon"), .text("https://example.com/icon.png"))
        let changed = entries.map { entry in
            switch entry.key {
            case .unsigned(2), .unsigned(3):
                CBOREntry(entry.key, .map((entry.value.entries ?? []) + [icon]))
            default: entry
            }
        }
        let unknown = CBOREntry(.unsigned(6), .map([CBOREntry(.text("x-unknown"), .null)]))
        let frame = CBORValue.map(changed + [unknown]).encoded(ordering: .ctap2)
        try await key.send([CTAPCommand.makeCredential.rawValue] + frame)
    }

    @Test("Attack 41: two credentials have nothing in common but the model")
    func unlinkable() async throws {
        let key = try TestKey()
        let first = try await key.make(TestKey.creation())
        let second = try await key.make(TestKey.creation("example.org"))
        #expect(first.format == "packed")
        #expect(first.attestationStatement["x5c"] == nil)
        #expect(second.attestationStatement["x5c"] == nil)
        let keys = try [first, second].map {
            Array(try #require(try data($0).attestedCredential).publicKeyBytes)
        }
        #expect(keys[0] != keys[1])
    }
}
