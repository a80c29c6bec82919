// SPDX-License-Identifier: Apache-2.0
import CTAP
import Testing

/// `authenticatorBioEnrollment` and built-in verification from the key's side.
@Suite struct AuthenticatorFingerprintTests {
    private func sensor() throws -> TestKey { try TestKey { $0.verification = .fingerprint } }

    private func bio(
        _ key: TestKey, _ request: BioEnrollmentRequest, _ token: PINUVAuthToken? = nil
    ) async throws -> BioEnrollmentResponse {
        var request = request
        if let token {
            request.pinUvAuthProtocol = token.pinProtocol.rawValue
            request.pinUvAuthParam = token.authenticate(request.authenticatedBytes)
        }
        return try BioEnrollmentResponse(cbor: await key.send(.bioEnrollment(request)))
    }

    private func enrol(_ key: TestKey, _ token: PINUVAuthToken) async throws -> [UInt8] {
        let begun = try await bio(key, BioEnrollmentRequest(.enrollBegin), token)
        var next = BioEnrollmentRequest(.enrollCaptureNextSample)
        next.templateId = begun.templateId
        var remaining = begun.remainingSamples ?? 0
        while remaining > 0 {
            remaining = try await bio(key, next, token).remainingSamples ?? 0
        }
        return try #require(begun.templateId)
    }

    @Test("A finger is enrolled, named, listed, used to verify, and removed")
    func life() async throws {
        let key = try sensor()
        try await key.setPIN("1234")
        #expect(try await key.info().options?["bioEnroll"] == false)
        let token = try await key.token("1234", .bioEnrollment)
        key.gesture.sample(as: .good, .tooFast, .good, .good)
        let template = try await enrol(key, token)
        var name = BioEnrollmentRequest(.setFriendlyName)
        name.templateId = template
        name.templateFriendlyName = "thumb"
        _ = try await bio(key, name, token)
        let list = try await bio(key, BioEnrollmentRequest(.enumerateEnrollments), token)
        #expect(list.templateInfos == [FingerprintTemplate(id: template, friendlyName: "thumb")])
        #expect(try await key.info().options?["uv"] == true)
        let verified = try await key.tokenByVerification(.makeCredential, rpId: "example.com")
        _ = key.gesture.takePrompts()
        _ = try await key.make(TestKey.creation(discoverable: true).authenticated(by: verified))
        // The sensor was touched just before, so no other touch is required.
        #expect(key.gesture.takePrompts().isEmpty)
        var removal = BioEnrollmentRequest(.removeEnrollment)
        removal.templateId = template
        _ = try await bio(key, removal, try await key.token("1234", .bioEnrollment))
        #expect(try await key.info().options?["uv"] == false)
    }

    @Test("The sensor's own facts need no token, everything else does")
    func permission() async throws {
        let key = try sensor()
        try await key.setPIN("1234")
        #expect(try await bio(key, .modalityQuestion).modality == 1)
        let facts = try await bio(key, BioEnrollmentRequest(.getFingerprintSensorInfo))
        #expect(facts.maxCaptureSamplesRequiredForEnroll == 3)
        for subcommand in [
            BioEnrollmentRequest.Subcommand.enrollBegin, .enumerateEnrollments, .removeEnrollment,
            .setFriendlyName,
        ] {
            await #expect(throws: CTAPStatus.pinRequired, "\(subcommand)") {
                try await bio(key, BioEnrollmentRequest(subcommand))
            }
        }
        let other = try await key.token("1234", .credentialManagement)
        await #expect(throws: CTAPStatus.pinAuthInvalid) {
            try await bio(key, BioEnrollmentRequest(.enrollBegin), other)
        }
        await #expect(throws: CTAPStatus.invalidCommand) {
            try await bio(try TestKey(), .modalityQuestion)
        }
    }

    @Test("Unknown fingers, foreign samples and a full database are refused")
    func refusals() async throws {
        let key = try sensor()
        try await key.setPIN("1234")
        let token = try await key.token("1234", .bioEnrollment)
        await #expect(throws: CTAPStatus.invalidOption) {
            try await bio(key, BioEnrollmentRequest(.enumerateEnrollments), token)
        }
        var removal = BioEnrollmentRequest(.removeEnrollment)
        removal.templateId = [1]
        await #expect(throws: CTAPStatus.invalidOption) { try await bio(key, removal, token) }
        var next = BioEnrollmentRequest(.enrollCaptureNextSample)
        next.templateId = [1]
        await #expect(throws: CTAPStatus.invalidParameter) { try await bio(key, next, token) }
        for _ in 0..<5 { _ = try await enrol(key, token) }
        await #expect(throws: CTAPStatus.fingerprintDatabaseFull) { try await enrol(key, token) }
    }

    @Test("Five failed verifications block the sensor, durably, until a PIN is right")
    func blocked() async throws {
        let store = MemoryAuthenticatorStore()
        let key = try TestKey(store: store) { $0.verification = .fingerprint }
        try await key.setPIN("1234")
        _ = try await enrol(key, try await key.token("1234", .bioEnrollment))
        key.gesture.verify(as: .failed, .failed, .failed, .failed, .failed)
        await #expect(throws: CTAPStatus.uvInvalid) {
            try await key.tokenByVerification(.credentialManagement)
        }
        await #expect(throws: CTAPStatus.uvBlocked) {
            try await key.tokenByVerification(.credentialManagement)
        }
        let again = try TestKey(store: store) { $0.verification = .fingerprint }
        await #expect(throws: CTAPStatus.uvBlocked) {
            try await again.tokenByVerification(.credentialManagement)
        }
        #expect(try await again.pin(ClientPINRequest(.getUVRetries)).uvRetries == 0)
        var creation = TestKey.creation()
        creation.options = CTAPOptions(uv: true)
        await #expect(throws: CTAPStatus.pinRequired) { try await again.make(creation) }
        _ = try await again.token("1234")
        #expect(try await again.pin(ClientPINRequest(.getUVRetries)).uvRetries == 5)
    }

    @Test("A platform authenticator verifies by itself and needs no PIN")
    func platform() async throws {
        let platform = AuthenticatorConfiguration.platform
        let key = try TestKey { $0 = platform }
        let info = try await key.info()
        #expect(info.transports == ["internal"])
        #expect(info.options?["plat"] == true)
        #expect(info.options?["uv"] == true)
        var creation = TestKey.creation(discoverable: true)
        await #expect(throws: CTAPStatus.pinRequired) { try await key.make(creation) }
        creation.options = CTAPOptions(rk: true, uv: true)
        let made = try await key.make(creation)
        #expect(made.authenticatorData[32] & 0x05 == 0x05)
        #expect(key.gesture.takePrompts() == [.makeCredential(rpId: "example.com", user: "user1")])
        key.gesture.verify(as: .denied)
        await #expect(throws: CTAPStatus.operationDenied) { try await key.make(creation) }
    }
}
