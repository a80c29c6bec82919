// SPDX-License-Identifier: Apache-2.0
import CTAP
import Testing

/// authenticatorBioEnrollment as steps of the machine.
@Suite struct BioEnrollmentCommandTests {
    private func fingerprintKey() throws -> TestMachine {
        var key = try TestMachine { $0.verification = .fingerprint }
        try key.setPIN("1234")
        return key
    }

    private func authenticated(
        _ request: BioEnrollmentRequest, _ token: PINUVAuthToken
    ) -> CTAPRequest {
        var request = request
        request.pinUvAuthProtocol = 2
        request.pinUvAuthParam = token.authenticate(request.authenticatedBytes)
        return .bioEnrollment(request)
    }

    private func response(_ step: TestMachine.Step) throws -> BioEnrollmentResponse {
        guard case .finished(let status, let cbor) = step else { throw CTAPStatus.other }
        guard status == .ok else { throw status }
        return try BioEnrollmentResponse(cbor: cbor)
    }

    @Test("Each good sample is a gesture; the last one saves the fingerprint")
    func mainPath() throws {
        var key = try fingerprintKey()
        let token = try key.token("1234", .bioEnrollment)
        let begin = BioEnrollmentRequest(.enrollBegin)
        #expect(key.begin(authenticated(begin, token)) == .gesture(.sample))
        let first = try response(key.finish(.sample(.good)))
        #expect(first.remainingSamples == 2)
        var next = BioEnrollmentRequest(.enrollCaptureNextSample)
        next.templateId = first.templateId
        for (sample, remaining) in [(FingerprintSample.tooFast, 2), (.good, 1), (.good, 0)] {
            #expect(key.machine.state.fingerprints.isEmpty)
            #expect(key.begin(authenticated(next, token)) == .gesture(.sample))
            #expect(try response(key.finish(.sample(sample))).remainingSamples == remaining)
        }
        #expect(key.store.saves.last?.fingerprints.map(\.id) == [try #require(first.templateId)])
        #expect(key.begin(authenticated(next, token)) == .status(.invalidParameter))
    }

    @Test("A cancelled sample discards the enrolment")
    func cancelled() throws {
        var key = try fingerprintKey()
        let token = try key.token("1234", .bioEnrollment)
        #expect(
            key.begin(authenticated(BioEnrollmentRequest(.enrollBegin), token))
                == .gesture(.sample))
        #expect(key.finish(.sample(.good), isCancelled: true) == .status(.keepaliveCancel))
        var next = BioEnrollmentRequest(.enrollCaptureNextSample)
        next.templateId = [UInt8](repeating: 1, count: 16)
        #expect(key.begin(authenticated(next, token)) == .status(.invalidParameter))
        #expect(key.machine.state.fingerprints.isEmpty)
    }

    @Test("Requests without token, modality, fingerprint or sensor are refused without a gesture")
    func refusals() throws {
        var key = try fingerprintKey()
        #expect(
            key.begin(.bioEnrollment(BioEnrollmentRequest(.enrollBegin))) == .status(.pinRequired))
        var request = BioEnrollmentRequest(.getFingerprintSensorInfo)
        request.modality = nil
        #expect(key.begin(.bioEnrollment(request)) == .status(.missingParameter))
        request.modality = 2
        #expect(key.begin(.bioEnrollment(request)) == .status(.invalidParameter))
        let other = try key.token("1234", .credentialManagement)
        let list = BioEnrollmentRequest(.enumerateEnrollments)
        #expect(key.begin(authenticated(list, other)) == .status(.pinAuthInvalid))
        let token = try key.token("1234", .bioEnrollment)
        #expect(key.begin(authenticated(list, token)) == .status(.invalidOption))
        var plain = try TestMachine()
        #expect(
            plain.begin(.bioEnrollment(.modalityQuestion)) == .status(.invalidCommand))
        var modern = try TestMachine { $0.knowsPreviewCommands = false }
        #expect(
            modern.begin(.bioEnrollment(.modalityQuestion, preview: true))
                == .status(.invalidCommand))
    }

    @Test("A fingerprint is renamed and removed; a full sensor refuses another")
    func administration() throws {
        var key = try TestMachine {
            $0.verification = .fingerprint
            $0.samplesPerFingerprint = 1
            $0.maximumFingerprints = 1
        }
        try key.setPIN("1234")
        let token = try key.token("1234", .bioEnrollment)
        _ = try key.run(authenticated(BioEnrollmentRequest(.enrollBegin), token))
        #expect(
            key.begin(authenticated(BioEnrollmentRequest(.enrollBegin), token))
                == .status(.fingerprintDatabaseFull))
        var request = BioEnrollmentRequest(.setFriendlyName)
        request.templateId = key.machine.state.fingerprints.first?.id
        request.templateFriendlyName = String(repeating: "a", count: 65)
        #expect(key.begin(authenticated(request, token)) == .status(.invalidLength))
        request.templateFriendlyName = "thumb"
        _ = try key.run(authenticated(request, token))
        #expect(key.store.saves.last?.fingerprints.map(\.friendlyName) == ["thumb"])
        request.subcommand = .removeEnrollment
        _ = try key.run(authenticated(request, token))
        #expect(key.store.saves.last?.fingerprints.isEmpty == true)
        #expect(key.begin(authenticated(request, token)) == .status(.invalidOption))
    }
}
