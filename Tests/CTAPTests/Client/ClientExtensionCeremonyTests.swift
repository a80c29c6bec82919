// SPDX-License-Identifier: Apache-2.0
import CTAP
import JOSE
import Primitives
import Support
import Testing
import WebAuthn

/// Extensions, through the client and the software key.
@Suite struct ClientExtensionCeremonyTests {
    @Test("the prf extension gives the same outputs at registration and at every sign-in")
    func prf() async throws {
        let fixture = try ClientFixture(person: TestPerson(pins: ["1234", "1234", "1234"]))
        try await fixture.open().setPIN("1234", random: SeededRandom())
        var options = ClientFixture.creation()
        let values = PRFRequest.Values(first: [1], second: [2, 3])
        options.extensions.prf = PRFRequest(eval: values)
        let registration = try await fixture.client.register(
            options, caller: ClientFixture.caller)
        let made = try #require(registration.clientExtensionResults["prf"])
        #expect(made["enabled"] == true)
        var request = ClientFixture.request()
        request.allowCredentials = [CTAPCredentialDescriptor(id: registration.credentialId)]
        request.extensions.prf = PRFRequest(eval: values)
        let first = try await fixture.client.signIn(request, caller: ClientFixture.caller)
        #expect(first.clientExtensionResults["prf"]?["results"] == made["results"])
        request.extensions.prf = PRFRequest(
            eval: PRFRequest.Values(first: [9]),
            evalByCredential: [registration.credentialId: PRFRequest.Values(first: [2, 3])])
        let second = try await fixture.client.signIn(request, caller: ClientFixture.caller)
        let results = second.clientExtensionResults["prf"]?["results"]
        #expect(results?["first"] == made["results"]?["second"])
        #expect(results?["second"] == nil)
    }

    @Test("data of a credential are written, read, and limited")
    func largeBlob() async throws {
        let fixture = try ClientFixture(person: TestPerson(pins: ["1234", "1234", "1234", "1234"]))
        try await fixture.open().setPIN("1234", random: SeededRandom())
        var options = ClientFixture.creation()
        options.residentKey = .required
        options.extensions.largeBlob = .required
        let registration = try await fixture.client.register(
            options, caller: ClientFixture.caller)
        #expect(registration.clientExtensionResults["largeBlob"] == ["supported": true])
        var request = ClientFixture.request()
        request.allowCredentials = [CTAPCredentialDescriptor(id: registration.credentialId)]
        let blob = Array("some data, some data, some data".utf8)
        request.extensions.largeBlob = .write(blob)
        let write = try await fixture.client.signIn(request, caller: ClientFixture.caller)
        #expect(write.clientExtensionResults["largeBlob"] == ["written": true])
        request.extensions.largeBlob = .read
        let read = try await fixture.client.signIn(request, caller: ClientFixture.caller)
        #expect(
            read.clientExtensionResults["largeBlob"]
                == ["blob": .string(Base64URL.encode(blob))])
        request.extensions.largeBlob = .write(SeededRandom().bytes(8000))
        let tooMuch = try await fixture.client.signIn(request, caller: ClientFixture.caller)
        #expect(tooMuch.clientExtensionResults["largeBlob"] == ["written": false])
    }

    @Test("credProtect, credBlob and credProps come back as they were asked for")
    func smallExtensions() async throws {
        let fixture = try ClientFixture(person: TestPerson(pins: ["1234", "1234"]))
        try await fixture.open().setPIN("1234", random: SeededRandom())
        var options = ClientFixture.creation()
        options.residentKey = .required
        options.extensions.credProps = true
        options.extensions.credentialProtection = .required
        options.extensions.enforceCredentialProtection = true
        options.extensions.credBlob = [1, 2, 3]
        options.extensions.hmacCreateSecret = true
        let registration = try await fixture.client.register(
            options, caller: ClientFixture.caller)
        let results = registration.clientExtensionResults
        #expect(results["credProps"] == ["rk": true])
        #expect(results["credBlob"] == true)
        #expect(results["hmacCreateSecret"] == true)
        var request = ClientFixture.request()
        request.extensions.getCredBlob = true
        let assertion = try await fixture.client.signIn(request, caller: ClientFixture.caller)
        #expect(assertion.clientExtensionResults["getCredBlob"] == "AQID")
    }
}
