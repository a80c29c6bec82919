// SPDX-License-Identifier: Apache-2.0

extension SecurityKeyAdministration {
    /// No sensor needs more samples of one finger.
    private static let greatestNumberOfSamples = 64
    /// The time in which a key waits for one sample, in milliseconds.
    private static let sampleTimeout = 30_000

    private func usesPreview() throws(SecurityKeyError) -> Bool {
        let info = try key.requireInfo()
        // True when a finger is enrolled, false when none is, absent when there is no sensor.
        if info.option("bioEnroll") != nil { return false }
        guard info.option("userVerificationMgmtPreview") != nil else {
            throw .unsupported("a fingerprint sensor")
        }
        return true
    }

    private func send(
        _ request: BioEnrollmentRequest, _ token: PINUVAuthToken?,
        limit: Duration = SecurityKey.commandLimit
    ) async throws(SecurityKeyError) -> BioEnrollmentResponse {
        var request = request
        if let token {
            request.pinUvAuthParam = token.authenticate(request.authenticatedBytes)
            request.pinUvAuthProtocol = token.pinProtocol.rawValue
        }
        let reply = try await key.send(
            .bioEnrollment(request, preview: try usesPreview()), limit: limit)
        return try SecurityKey.read { () throws(CTAPMessageError) in
            try BioEnrollmentResponse(cbor: reply)
        }
    }

    package func fingerprintSensor() async throws(SecurityKeyError) -> FingerprintSensor {
        let reply = try await send(BioEnrollmentRequest(.getFingerprintSensorInfo), nil)
        return FingerprintSensor(
            kind: reply.fingerprintKind.flatMap(FingerprintSensor.Kind.init(rawValue:)),
            samplesPerFinger: reply.maxCaptureSamplesRequiredForEnroll,
            maximumNameLength: reply.maxTemplateFriendlyName)
    }

    /// The fingers that are enrolled.
    package func fingerprints() async throws(SecurityKeyError) -> [FingerprintTemplate] {
        _ = try usesPreview()
        let token = try await requiredToken(.bioEnrollment, .manageFingerprints)
        do {
            let reply = try await send(BioEnrollmentRequest(.enumerateEnrollments), token)
            return reply.templateInfos ?? []
        } catch {
            // The status of "none" is the one that elsewhere means "invalid option".
            guard error == .unsupported("this option") || error == .noCredential else {
                throw error
            }
            return []
        }
    }

    /// Enrols a finger, sample by sample (CTAP 2.2 section 6.7.4).
    package func enrolFingerprint(
        name: String?
    ) async throws(SecurityKeyError) -> FingerprintTemplate {
        _ = try usesPreview()
        let token = try await requiredToken(.bioEnrollment, .enrollFingerprint)
        await interaction.show(.touch(key.description, .enrollFingerprint))
        var begin = BioEnrollmentRequest(.enrollBegin)
        begin.timeoutMilliseconds = Self.sampleTimeout
        var reply = try await send(begin, token, limit: SecurityKey.gestureLimit)
        guard let id = reply.templateId else { throw .untrustworthyReply("no template id") }
        for _ in 0..<Self.greatestNumberOfSamples {
            let remaining = reply.remainingSamples ?? 0
            let sample =
                reply.lastEnrollSampleStatus
                .flatMap(FingerprintSample.init(rawValue:)) ?? .poorQuality
            await interaction.show(.fingerprintSample(sample, remaining: remaining))
            guard remaining > 0 else {
                if let name { try await rename(id, name, token) }
                try await key.refreshInfo()
                return FingerprintTemplate(id: id, friendlyName: name)
            }
            reply = try await nextSample(id, token)
        }
        await cancelEnrolment()
        throw .untrustworthyReply("more samples than any finger needs")
    }

    /// Captures the next sample. If that fails, the enrolment ends.
    private func nextSample(
        _ id: [UInt8], _ token: PINUVAuthToken
    ) async throws(SecurityKeyError) -> BioEnrollmentResponse {
        var next = BioEnrollmentRequest(.enrollCaptureNextSample)
        next.templateId = id
        next.timeoutMilliseconds = Self.sampleTimeout
        do {
            return try await send(next, token, limit: SecurityKey.gestureLimit)
        } catch {
            await cancelEnrolment()
            throw error
        }
    }

    private func cancelEnrolment() async {
        _ = try? await send(BioEnrollmentRequest(.cancelCurrentEnrollment), nil)
    }

    package func renameFingerprint(
        _ id: [UInt8], to name: String
    ) async throws(SecurityKeyError) {
        _ = try usesPreview()
        try await rename(id, name, try await requiredToken(.bioEnrollment, .manageFingerprints))
    }

    private func rename(
        _ id: [UInt8], _ name: String, _ token: PINUVAuthToken
    ) async throws(SecurityKeyError) {
        var request = BioEnrollmentRequest(.setFriendlyName)
        request.templateId = id
        request.templateFriendlyName = name
        _ = try await send(request, token)
    }

    package func removeFingerprint(
        _ template: FingerprintTemplate
    ) async throws(SecurityKeyError) {
        _ = try usesPreview()
        let name = PromptText.clean(template.friendlyName ?? "without a name")
        let token = try await requiredToken(.bioEnrollment, .removeFingerprint(name))
        var request = BioEnrollmentRequest(.removeEnrollment)
        request.templateId = template.id
        _ = try await send(request, token)
        try await key.refreshInfo()
    }
}
