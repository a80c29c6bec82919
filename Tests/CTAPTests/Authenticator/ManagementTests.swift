// SPDX-License-Identifier: Apache-2.0
import CTAP
import Crypto
import Primitives
import Support
import Testing

extension TestKey {
    /// A key with a PIN and discoverable credentials for two relying parties.
    static func filled() async throws -> TestKey {
        let key = try TestKey()
        for (user, rpId) in [(1, "example.com"), (2, "example.com"), (3, "example.org")] {
            _ = try await key.make(creation(rpId, user: UInt8(user), discoverable: true))
        }
        try await key.setPIN("1234")
        return key
    }

    func manage(
        _ request: CredentialManagementRequest, _ token: PINUVAuthToken? = nil
    ) async throws -> CredentialManagementResponse {
        var request = request
        if let token {
            request.pinUvAuthProtocol = token.pinProtocol.rawValue
            request.pinUvAuthParam = token.authenticate(request.authenticatedBytes)
        }
        return try CredentialManagementResponse(
            cbor: await send(.credentialManagement(request)))
    }

    func configure(_ request: ConfigRequest, _ token: PINUVAuthToken? = nil) async throws {
        var request = request
        if let token {
            request.pinUvAuthProtocol = token.pinProtocol.rawValue
            request.pinUvAuthParam = token.authenticate(request.authenticatedBytes)
        }
        try await send(.config(request))
    }
}

/// `authenticatorCredentialManagement` from the key's side.
@Suite struct AuthenticatorCredentialManagementTests {
    private func hash(_ rpId: String) -> [UInt8] { Array(SHA256.hash(data: Array(rpId.utf8))) }

    private func listing(_ rpId: String) -> CredentialManagementRequest {
        var request = CredentialManagementRequest(.enumerateCredentialsBegin)
        request.rpIDHash = hash(rpId)
        return request
    }

    @Test("Relying parties and their credentials are listed")
    func lists() async throws {
        let key = try await TestKey.filled()
        let token = try await key.token("1234", .credentialManagement)
        let first = try await key.manage(CredentialManagementRequest(.enumerateRPsBegin), token)
        #expect(first.totalRPs == 2)
        #expect(first.rpIDHash == hash("example.com"))
        let second = try await key.manage(CredentialManagementRequest(.enumerateRPsGetNextRP))
        #expect(second.rp?.id == "example.org")
        await #expect(throws: CTAPStatus.notAllowed) {
            try await key.manage(CredentialManagementRequest(.enumerateRPsGetNextRP))
        }
        #expect(try await key.manage(listing("example.com"), token).totalCredentials == 2)
        let next = CredentialManagementRequest(.enumerateCredentialsGetNextCredential)
        #expect(try await key.manage(next).user?.id == [2])
        await #expect(throws: CTAPStatus.notAllowed) { try await key.manage(next) }
    }

    @Test("Without a token, with a wrong one, or with another permission nothing is told")
    func refusals() async throws {
        let key = try await TestKey.filled()
        let metadata = CredentialManagementRequest(.getCredsMetadata)
        await #expect(throws: CTAPStatus.pinRequired) { try await key.manage(metadata) }
        let other = try await key.token("1234", .getAssertion, rpId: "example.com")
        await #expect(throws: CTAPStatus.pinAuthInvalid) { try await key.manage(metadata, other) }
        let foreign = PINUVAuthToken(.two, random: key.random)
        await #expect(throws: CTAPStatus.pinAuthInvalid) { try await key.manage(metadata, foreign) }
        let token = try await key.token("1234", .credentialManagement)
        await #expect(throws: CTAPStatus.missingParameter) {
            try await key.manage(CredentialManagementRequest(.enumerateCredentialsBegin), token)
        }
        await #expect(throws: CTAPStatus.noCredentials) {
            try await key.manage(listing("example.net"), token)
        }
    }

    @Test("A token that is bound to a relying party sees that one only")
    func bound() async throws {
        let key = try await TestKey.filled()
        let token = try await key.token("1234", .credentialManagement, rpId: "example.org")
        await #expect(throws: CTAPStatus.pinAuthInvalid) {
            try await key.manage(CredentialManagementRequest(.getCredsMetadata), token)
        }
        await #expect(throws: CTAPStatus.pinAuthInvalid) {
            try await key.manage(listing("example.com"), token)
        }
        #expect(try await key.manage(listing("example.org"), token).totalCredentials == 1)
    }

    @Test("A credential is deleted and renamed, the user id stays")
    func changes() async throws {
        let key = try await TestKey.filled()
        let token = try await key.token("1234", .credentialManagement)
        let found = try await key.manage(listing("example.org"), token)
        var update = CredentialManagementRequest(.updateUserInformation)
        update.credentialID = found.credentialID
        update.user = CTAPUser(id: [3], name: "renamed")
        _ = try await key.manage(update, token)
        #expect(try await key.manage(listing("example.org"), token).user?.name == "renamed")
        update.user = CTAPUser(id: [4], name: "another person")
        await #expect(throws: CTAPStatus.invalidParameter) { try await key.manage(update, token) }
        var deletion = CredentialManagementRequest(.deleteCredential)
        await #expect(throws: CTAPStatus.missingParameter) {
            try await key.manage(deletion, token)
        }
        deletion.credentialID = found.credentialID
        _ = try await key.manage(deletion, token)
        await #expect(throws: CTAPStatus.noCredentials) { try await key.manage(deletion, token) }
        await #expect(throws: CTAPStatus.noCredentials) {
            try await key.get(TestKey.assertion("example.org"))
        }
    }

    @Test("A persistent token reads after a power cycle, and changes nothing")
    func persistent() async throws {
        let key = try await TestKey.filled()
        let token = try await key.token("1234", .persistentCredentialManagementReadOnly)
        await key.key.powerCycle()
        let metadata = CredentialManagementRequest(.getCredsMetadata)
        #expect(try await key.manage(metadata, token).existingResidentCredentialsCount == 3)
        var deletion = CredentialManagementRequest(.deleteCredential)
        deletion.credentialID = try await key.manage(listing("example.org"), token).credentialID
        await #expect(throws: CTAPStatus.pinAuthInvalid) {
            try await key.manage(deletion, token)
        }
        try await key.changePIN(from: "1234", to: "4321")
        await #expect(throws: CTAPStatus.pinAuthInvalid) { try await key.manage(metadata, token) }
    }

    @Test("The commands of before CTAP 2.1 are known, or not, as configured")
    func preview() async throws {
        let request = CTAPRequest.credentialManagement(
            CredentialManagementRequest(.getCredsMetadata), preview: true)
        let key = try TestKey()
        await #expect(throws: CTAPStatus.pinRequired) { try await key.send(request) }
        let modern = try TestKey { $0.knowsPreviewCommands = false }
        await #expect(throws: CTAPStatus.invalidCommand) { try await modern.send(request) }
    }
}

/// `authenticatorConfig` and `authenticatorReset` from the key's side.
@Suite struct AuthenticatorConfigurationTests {
    @Test("With a PIN every change needs a token with its permission")
    func permission() async throws {
        let key = try await TestKey.filled()
        let request = ConfigRequest(.toggleAlwaysUv)
        await #expect(throws: CTAPStatus.pinRequired) { try await key.configure(request) }
        let other = try await key.token("1234", .credentialManagement)
        await #expect(throws: CTAPStatus.pinAuthInvalid) {
            try await key.configure(request, other)
        }
        let token = try await key.token("1234", .authenticatorConfiguration)
        try await key.configure(request, token)
        #expect(try await key.info().options?["alwaysUv"] == true)
    }

    @Test("What the key does not have cannot be configured")
    func unsupported() async throws {
        let key = try TestKey()
        for subcommand in [ConfigRequest.Subcommand.enableEnterpriseAttestation, .vendorPrototype] {
            await #expect(throws: CTAPStatus.invalidSubcommand) {
                try await key.configure(ConfigRequest(subcommand))
            }
        }
    }

    @Test("The least PIN length only rises, and a short PIN must then be changed")
    func minimumLength() async throws {
        let key = try await TestKey.filled()
        var request = ConfigRequest(.setMinPINLength)
        request.newMinPINLength = 6
        request.minPinLengthRPIDs = ["example.com"]
        try await key.configure(request, try await key.token("1234", .authenticatorConfiguration))
        #expect(try await key.info().minPINLength == 6)
        #expect(try await key.info().forcePINChange == true)
        await #expect(throws: CTAPStatus.pinPolicyViolation) {
            try await key.changePIN(from: "1234", to: "12345")
        }
        try await key.changePIN(from: "1234", to: "123456")
        let token = try await key.token("123456", .authenticatorConfiguration)
        request.newMinPINLength = 5
        await #expect(throws: CTAPStatus.pinPolicyViolation) {
            try await key.configure(request, token)
        }
        request.newMinPINLength = 64
        await #expect(throws: CTAPStatus.pinPolicyViolation) {
            try await key.configure(request, token)
        }
        request.newMinPINLength = 6
        request.minPinLengthRPIDs = (0..<9).map { "\($0).example" }
        await #expect(throws: CTAPStatus.keyStoreFull) { try await key.configure(request, token) }
    }

    @Test("Only a relying party of the list learns the least PIN length")
    func minimumLengthOutput() async throws {
        let key = try TestKey()
        var request = ConfigRequest(.setMinPINLength)
        request.minPinLengthRPIDs = ["example.com"]
        try await key.configure(request)
        for (rpId, isTold) in [("example.com", true), ("example.org", false)] {
            var creation = TestKey.creation(rpId)
            var extensions = MakeCredentialExtensions()
            extensions.minPinLength = true
            creation.extensions = extensions
            let data = try await key.make(creation).authenticatorData
            #expect((data[32] & 0x80 != 0) == isTold)
        }
        request.forceChangePin = true
        await #expect(throws: CTAPStatus.pinNotSet) { try await key.configure(request) }
    }

    @Test("Attack 38: a reset is refused ten seconds after power-up")
    func resetWindow() async throws {
        let key = try await TestKey.filled()
        key.clock.advance(by: .seconds(11))
        _ = key.gesture.takePrompts()
        await #expect(throws: CTAPStatus.notAllowed) { try await key.send(.reset) }
        #expect(key.gesture.takePrompts().isEmpty)
        await key.key.powerCycle()
        try await key.send(.reset)
        await #expect(throws: CTAPStatus.noCredentials) { try await key.get(TestKey.assertion()) }
        #expect(try await key.info().options?["clientPin"] == false)
    }

    @Test("A long touch for reset is asked for once it is switched on")
    func longTouch() async throws {
        let key = try TestKey()
        try await key.configure(ConfigRequest(.enableLongTouchForReset))
        #expect(try await key.info().longTouchForReset == true)
        try await key.send(.reset)
        #expect(key.gesture.takePrompts() == [.reset(longTouch: true)])
        #expect(try await key.info().longTouchForReset == false)
    }
}

/// `authenticatorLargeBlobs` from the key's side.
@Suite struct AuthenticatorLargeBlobTests {
    private func array(_ content: [UInt8]) -> [UInt8] {
        content + SHA256.hash(data: content).prefix(16)
    }

    private func write(
        _ key: TestKey, _ fragment: [UInt8], at offset: Int, of length: Int?,
        _ token: PINUVAuthToken? = nil
    ) async throws {
        var request = LargeBlobsRequest(set: fragment, offset: offset, length: length)
        if let token {
            request.pinUvAuthProtocol = token.pinProtocol.rawValue
            request.pinUvAuthParam = token.authenticate(request.authenticatedBytes)
        }
        try await key.send(.largeBlobs(request))
    }

    private func read(_ key: TestKey, _ count: Int, at offset: Int = 0) async throws -> [UInt8]? {
        let request = LargeBlobsRequest(get: count, offset: offset)
        return try LargeBlobsResponse(cbor: await key.send(.largeBlobs(request))).config
    }

    @Test("A fresh key has the empty array; a written one is read back in fragments")
    func fragments() async throws {
        let key = try TestKey()
        #expect(try await read(key, 100) == array([0x80]))
        let blob = array([UInt8](repeating: 3, count: 3000))
        try await write(key, Array(blob.prefix(1984)), at: 0, of: blob.count)
        try await write(key, Array(blob.dropFirst(1984)), at: 1984, of: nil)
        let first = try #require(try await read(key, 1984))
        let second = try #require(try await read(key, 1984, at: 1984))
        #expect(first + second == blob)
        #expect(try await read(key, 10, at: blob.count) == [])
    }

    @Test("Attack 40: an array whose checksum is wrong leaves the old one in place")
    func corrupted() async throws {
        let key = try TestKey()
        let good = array([0x81, 0x01])
        try await write(key, good, at: 0, of: good.count)
        for index in [0, good.count - 1] {
            var bad = good
            bad[index] ^= 1
            await #expect(throws: CTAPStatus.integrityFailure) {
                try await write(key, bad, at: 0, of: bad.count)
            }
        }
        #expect(try await read(key, 100) == good)
    }

    @Test("Attack 40: half an array never takes the old one's place")
    func interrupted() async throws {
        let key = try TestKey()
        let blob = array([UInt8](repeating: 3, count: 100))
        try await write(key, Array(blob.prefix(50)), at: 0, of: blob.count)
        _ = try await key.info()
        await #expect(throws: CTAPStatus.invalidSequence) {
            try await write(key, Array(blob.dropFirst(50)), at: 50, of: nil)
        }
        #expect(try await read(key, 100) == array([0x80]))
    }

    @Test("Lengths, offsets and their order are checked")
    func bounds() async throws {
        let key = try TestKey()
        let cases: [(CTAPStatus, [UInt8], Int, Int?)] = [
            (.invalidParameter, [0x80], 0, nil), (.invalidParameter, [0x80], 0, 16),
            (.largeBlobStorageFull, [0x80], 0, 4097), (.invalidSequence, [0x80], 5, nil),
            (.invalidParameter, [0x80], 5, 20),
            (.invalidLength, [UInt8](repeating: 0, count: 1985), 0, 2000),
            (.invalidParameter, [UInt8](repeating: 0, count: 21), 0, 20),
        ]
        for (status, fragment, offset, length) in cases {
            await #expect(throws: status, "\(offset) \(String(describing: length))") {
                try await write(key, fragment, at: offset, of: length)
            }
        }
        await #expect(throws: CTAPStatus.invalidLength) { try await read(key, 1985) }
        await #expect(throws: CTAPStatus.invalidParameter) { try await read(key, 1, at: 18) }
        var both = LargeBlobsRequest(get: 1, offset: 0)
        both.set = [1]
        await #expect(throws: CTAPStatus.invalidParameter) {
            try await key.send(.largeBlobs(both))
        }
    }

    @Test("With a PIN, writing needs a token with its permission; reading never does")
    func permission() async throws {
        let key = try await TestKey.filled()
        let blob = array([0x80])
        await #expect(throws: CTAPStatus.pinRequired) {
            try await write(key, blob, at: 0, of: blob.count)
        }
        let other = try await key.token("1234", .credentialManagement)
        await #expect(throws: CTAPStatus.pinAuthInvalid) {
            try await write(key, blob, at: 0, of: blob.count, other)
        }
        let token = try await key.token("1234", .largeBlobWrite)
        try await write(key, blob, at: 0, of: blob.count, token)
        #expect(try await read(key, 100) == blob)
    }
}

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
        // The finger was on the sensor a moment ago: nobody is asked to touch again.
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
