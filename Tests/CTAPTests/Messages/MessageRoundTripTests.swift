// SPDX-License-Identifier: Apache-2.0
import CBOR
import CTAP
import Testing
import WebAuthn

@Suite struct MessageRoundTripTests {
    static let hash = [UInt8](repeating: 0xAB, count: 32)

    static func keyAgreement() throws -> KeyAgreementKey {
        try #require(KeyAgreementKey(x: hash, y: [UInt8](repeating: 0xCD, count: 32)))
    }

    static func makeCredential() throws -> MakeCredentialRequest {
        var request = MakeCredentialRequest(
            clientDataHash: hash, rp: CTAPRelyingParty(id: "example.org", name: "Example"),
            user: CTAPUser(id: [1, 2], name: "anna", displayName: "Anna"),
            pubKeyCredParams: [
                CTAPCredentialParameters(algorithm: -7), CTAPCredentialParameters(algorithm: -257),
            ])
        request.excludeList = [CTAPCredentialDescriptor(id: [9], transports: ["usb", "nfc"])]
        var extensions = MakeCredentialExtensions()
        extensions.credProtect = 2
        extensions.credBlob = [1, 2, 3]
        extensions.largeBlobKey = true
        extensions.minPinLength = true
        extensions.pinComplexityPolicy = true
        extensions.hmacSecret = true
        extensions.hmacSecretMC = HMACSecretInput(
            keyAgreement: try keyAgreement(), saltEnc: hash, saltAuth: [7], pinUvAuthProtocol: 2)
        extensions.thirdPartyPayment = false
        request.extensions = extensions
        request.options = CTAPOptions(rk: true, uv: false)
        request.pinUvAuthParam = [4, 5]
        request.pinUvAuthProtocol = 2
        request.enterpriseAttestation = 1
        request.attestationFormatsPreference = ["packed", "none"]
        return request
    }

    static func getAssertion() throws -> GetAssertionRequest {
        var request = GetAssertionRequest(rpId: "example.org", clientDataHash: hash)
        request.allowList = [CTAPCredentialDescriptor(id: [1]), CTAPCredentialDescriptor(id: [2])]
        var extensions = GetAssertionExtensions()
        extensions.credBlob = true
        extensions.largeBlobKey = true
        extensions.hmacSecret = HMACSecretInput(
            keyAgreement: try keyAgreement(), saltEnc: hash + hash, saltAuth: hash,
            pinUvAuthProtocol: nil)
        extensions.thirdPartyPayment = true
        request.extensions = extensions
        request.options = CTAPOptions(up: false, uv: true)
        request.pinUvAuthParam = []
        request.pinUvAuthProtocol = 1
        return request
    }

    static func requests() throws -> [CTAPRequest] {
        var pin = ClientPINRequest(.changePIN, pinUvAuthProtocol: 2)
        pin.keyAgreement = try keyAgreement()
        pin.pinUvAuthParam = [1]
        pin.newPinEnc = [2]
        pin.pinHashEnc = [3]
        pin.permissions = 0x3F
        pin.rpId = "example.org"
        var config = ConfigRequest(.setMinPINLength)
        config.newMinPINLength = 6
        config.minPinLengthRPIDs = ["example.org"]
        config.forceChangePin = true
        config.pinComplexityPolicy = false
        config.pinUvAuthProtocol = 2
        config.pinUvAuthParam = hash
        var write = LargeBlobsRequest(set: [1, 2, 3], offset: 0, length: 17)
        write.pinUvAuthParam = [1]
        write.pinUvAuthProtocol = 2
        return [
            .makeCredential(try makeCredential()), .getAssertion(try getAssertion()),
            .getNextAssertion, .getInfo, .clientPIN(pin), .reset, .selection,
            .largeBlobs(write), .largeBlobs(LargeBlobsRequest(get: 960, offset: 17)),
            .config(config), .config(ConfigRequest(.toggleAlwaysUv)),
            .bioEnrollment(.modalityQuestion),
            .bioEnrollment(BioEnrollmentRequest(.enrollBegin), preview: true),
            .credentialManagement(CredentialManagementRequest(.getCredsMetadata), preview: true),
            .credentialManagement(CredentialManagementRequest(.enumerateRPsBegin)),
        ]
    }

    @Test("every request reads back as what was written, in canonical form")
    func requestsRoundTrip() throws {
        for request in try Self.requests() {
            let frame = request.frame()
            let read = try CTAPRequest(frame: frame)
            #expect(read.command == request.command)
            #expect(read.frame() == frame)
        }
    }

    @Test("members of makeCredential keep their values")
    func makeCredentialMembers() throws {
        let request = try Self.makeCredential()
        #expect(try MakeCredentialRequest(cbor: request.encode()) == request)
    }

    @Test("members of getAssertion keep their values")
    func getAssertionMembers() throws {
        let request = try Self.getAssertion()
        #expect(try GetAssertionRequest(cbor: request.encode()) == request)
    }

    @Test("makeCredential has the bytes of the example in CTAP 2.0 section 6.1")
    func makeCredentialBytes() throws {
        var request = MakeCredentialRequest(
            clientDataHash: hex("687134968222ec17202e42505f8ed2b16ae22f16bb05b88c25db9e602645f141"),
            rp: CTAPRelyingParty(id: "example.com", name: "Acme"),
            user: CTAPUser(id: [1], name: "a", displayName: "b"),
            pubKeyCredParams: [CTAPCredentialParameters(algorithm: -7)])
        request.options = CTAPOptions(rk: true)
        #expect(
            request.encode()
                == hex(
                    """
                    a5 01 5820 687134968222ec17202e42505f8ed2b16ae22f16bb05b88c25db9e602645f141
                    02 a2 62 6964 6b 6578616d706c652e636f6d 64 6e616d65 64 41636d65
                    03 a3 62 6964 41 01 64 6e616d65 61 61 6b 646973706c61794e616d65 61 62
                    04 81 a2 63 616c67 26 64 74797065 6a 7075626c69632d6b6579
                    07 a1 62 726b f5
                    """))
    }

    @Test("every response reads back as what was written")
    func responsesRoundTrip() throws {
        var made = MakeCredentialResponse(
            format: "packed", authenticatorData: Self.hash,
            attestationStatement: .map([CBOREntry("alg", .integer(-7))]))
        made.enterpriseAttestation = true
        made.largeBlobKey = Self.hash
        made.unsignedExtensionOutputs = .map([])
        #expect(try MakeCredentialResponse(cbor: made.encode()) == made)

        var assertion = GetAssertionResponse(
            credential: CTAPCredentialDescriptor(id: [1]), authenticatorData: Self.hash,
            signature: [1, 2])
        assertion.user = CTAPUser(id: [3])
        assertion.numberOfCredentials = 2
        assertion.userSelected = true
        assertion.largeBlobKey = Self.hash
        #expect(try GetAssertionResponse(cbor: assertion.encode()) == assertion)

        var pin = ClientPINResponse()
        pin.keyAgreement = try Self.keyAgreement()
        pin.pinUvAuthToken = Self.hash
        pin.pinRetries = 8
        pin.powerCycleState = true
        pin.uvRetries = 3
        #expect(try ClientPINResponse(cbor: pin.encode()) == pin)

        let blob = LargeBlobsResponse(config: [1])
        #expect(try LargeBlobsResponse(cbor: blob.encode()) == blob)
    }

    @Test("replies of the management commands read back as what was written")
    func managementResponsesRoundTrip() throws {
        var management = CredentialManagementResponse()
        management.existingResidentCredentialsCount = 1
        management.maxPossibleRemainingResidentCredentialsCount = 24
        management.rp = CTAPRelyingParty(id: "example.org")
        management.rpIDHash = Self.hash
        management.totalRPs = 1
        management.user = CTAPUser(id: [1])
        management.credentialID = CTAPCredentialDescriptor(id: [2])
        management.publicKey = .map([CBOREntry(.integer(1), .integer(2))])
        management.totalCredentials = 1
        management.credProtect = 3
        management.largeBlobKey = Self.hash
        management.thirdPartyPayment = false
        #expect(try CredentialManagementResponse(cbor: management.encode()) == management)

        var bio = BioEnrollmentResponse()
        bio.modality = 1
        bio.fingerprintKind = 1
        bio.maxCaptureSamplesRequiredForEnroll = 5
        bio.templateId = [1]
        bio.lastEnrollSampleStatus = 0
        bio.remainingSamples = 4
        bio.templateInfos = [FingerprintTemplate(id: [1], friendlyName: "thumb")]
        bio.maxTemplateFriendlyName = 64
        #expect(try BioEnrollmentResponse(cbor: bio.encode()) == bio)
    }

    @Test("getInfo with every member of CTAP 2.3 reads back as what was written")
    func infoRoundTrip() throws {
        var info = AuthenticatorInfo(
            versions: ["U2F_V2", "FIDO_2_1"],
            aaguid: try #require(AAGUID([UInt8](repeating: 7, count: 16))))
        info.extensions = ["credProtect", "hmac-secret"]
        info.options = ["rk": true, "clientPin": false]
        info.maxMsgSize = 1200
        info.pinUvAuthProtocols = [2, 1]
        info.maxCredentialCountInList = 8
        info.maxCredentialIdLength = 128
        info.transports = ["usb"]
        info.algorithms = [CTAPCredentialParameters(algorithm: -7)]
        info.maxSerializedLargeBlobArray = 4096
        info.forcePINChange = true
        info.minPINLength = 6
        info.firmwareVersion = 0x50403
        info.maxCredBlobLength = 32
        info.maxRPIDsForSetMinPINLength = 1
        info.preferredPlatformUvAttempts = 3
        info.uvModality = 2
        info.certifications = ["FIDO": 1]
        info.remainingDiscoverableCredentials = 25
        info.vendorPrototypeConfigCommands = [.max]
        info.attestationFormats = ["packed"]
        info.uvCountSinceLastPinEntry = 1
        info.longTouchForReset = true
        info.encIdentifier = [1]
        info.transportsForReset = ["usb"]
        info.pinComplexityPolicy = true
        info.pinComplexityPolicyURL = [2]
        info.maxPINLength = 63
        info.encCredStoreState = [3]
        info.authenticatorConfigCommands = [1, 2, 3]
        #expect(try AuthenticatorInfo(cbor: info.encode()) == info)
    }

    @Test("an empty reply is read from no bytes at all, and written so")
    func emptyReplies() throws {
        #expect(try ClientPINResponse(cbor: []) == ClientPINResponse())
        #expect(try CredentialManagementResponse(cbor: []) == CredentialManagementResponse())
        #expect(try BioEnrollmentResponse(cbor: []) == BioEnrollmentResponse())
        #expect(try LargeBlobsResponse(cbor: []) == LargeBlobsResponse())
        #expect(ClientPINResponse().encode().isEmpty)
        #expect(CredentialManagementResponse().encode().isEmpty)
        #expect(BioEnrollmentResponse().encode().isEmpty)
    }

    @Test("unknown parameters are authenticated as received")
    func authenticatedParameters() throws {
        // {1: 6, 2: {1: h'ab…', 15: 1}, 3: 1}
        let parameters = "a2 01 5820" + String(repeating: "ab", count: 32) + "0f 01"
        let request = try CredentialManagementRequest(
            cbor: hex("a3 01 04 02" + parameters + "03 01"))
        #expect(request.authenticatedBytes == [4] + hex(parameters))
        var own = CredentialManagementRequest(.enumerateCredentialsBegin)
        own.rpIDHash = Self.hash
        #expect(
            own.authenticatedBytes
                == [4] + hex("a1 01 5820" + String(repeating: "ab", count: 32)))
        #expect(CredentialManagementRequest(.getCredsMetadata).authenticatedBytes == [1])
    }

    @Test("what a large-blob write authenticates is bound to its offset")
    func largeBlobAuthenticatedBytes() {
        let bytes = LargeBlobsRequest(set: [], offset: 0x0102, length: nil).authenticatedBytes
        #expect(bytes.prefix(38) == hex(String(repeating: "ff", count: 32) + "0c00 02010000")[...])
        #expect(bytes.count == 70)
    }

    @Test("The part of a reply that is not validated is written back, also NaN")
    func notANumber() throws {
        let bytes = hex("a108a1a1f9580808a1a1f97e080808")
        let reply = try CredentialManagementResponse(cbor: bytes)
        let written = reply.encode()
        #expect(written == hex("a108a1a1f9580808a1a1f97e000808"))
        #expect(try CredentialManagementResponse(cbor: written).encode() == written)
    }
}

extension CBOREntry {
    fileprivate init(_ name: String, _ value: CBORValue) { self.init(.text(name), value) }
}
