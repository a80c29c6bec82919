// SPDX-License-Identifier: Apache-2.0
import Primitives

/// `authenticatorBioEnrollment` (CTAP 2.1 section 6.7), with a sensor that the ``UserGesture``
/// stands for.
extension SoftwareAuthenticator {
    /// Longest name of a finger, in bytes.
    private static let longestName = 64

    func enrolFingerprint(
        _ request: BioEnrollmentRequest
    ) async throws(CTAPStatus) -> BioEnrollmentResponse {
        guard configuration.verification == .fingerprint else { throw .invalidCommand }
        var response = BioEnrollmentResponse()
        if request.getModality == true {
            response.modality = BioEnrollmentRequest.fingerprint
            return response
        }
        guard let subcommand = request.subcommand else { throw .missingParameter }
        guard let modality = request.modality else { throw .missingParameter }
        guard modality == BioEnrollmentRequest.fingerprint else { throw .invalidParameter }
        switch subcommand {
        case .getFingerprintSensorInfo:
            response.modality = BioEnrollmentRequest.fingerprint
            response.fingerprintKind = 1
            response.maxCaptureSamplesRequiredForEnroll = configuration.samplesPerFingerprint
            response.maxTemplateFriendlyName = Self.longestName
            return response
        case .cancelCurrentEnrollment:
            session.enrolment = nil
            return response
        case .enrollBegin, .enrollCaptureNextSample: return try await capture(request, subcommand)
        case .enumerateEnrollments:
            try checkToken(request)
            guard !state.fingerprints.isEmpty else { throw .invalidOption }
            response.templateInfos = state.fingerprints
            return response
        case .setFriendlyName: try rename(request)
        case .removeEnrollment: try remove(request)
        }
        return response
    }

    private func checkToken(_ request: BioEnrollmentRequest) throws(CTAPStatus) {
        guard let parameter = request.pinUvAuthParam else { throw .pinRequired }
        try verifyToken(
            parameter, over: request.authenticatedBytes, request.pinUvAuthProtocol,
            permission: .bioEnrollment)
    }

    // MARK: Enrolling

    private func capture(
        _ request: BioEnrollmentRequest, _ subcommand: BioEnrollmentRequest.Subcommand
    ) async throws(CTAPStatus) -> BioEnrollmentResponse {
        try checkToken(request)
        if subcommand == .enrollBegin {
            guard state.fingerprints.count < configuration.maximumFingerprints else {
                throw .fingerprintDatabaseFull
            }
            session.enrolment = AuthenticatorSession.Enrolment(
                template: random.bytes(16), remaining: configuration.samplesPerFingerprint)
        } else {
            guard let template = request.templateId else { throw .missingParameter }
            guard session.enrolment?.template == template else { throw .invalidParameter }
        }
        guard var enrolment = session.enrolment else { throw .notAllowed }
        let sample = try await sample()
        if sample == .good { enrolment.remaining -= 1 }
        session.enrolment = enrolment.remaining > 0 ? enrolment : nil
        if enrolment.remaining == 0 { try keep(enrolment) }
        var response = BioEnrollmentResponse()
        if subcommand == .enrollBegin { response.templateId = enrolment.template }
        response.lastEnrollSampleStatus = sample.rawValue
        response.remainingSamples = enrolment.remaining
        return response
    }

    private func sample() async throws(CTAPStatus) -> FingerprintSample {
        activity.set(.userPresenceNeeded)
        let sample = await gesture.sample(GesturePrompt(.enrolFingerprint))
        activity.set(.processing)
        guard !Task.isCancelled else {
            session.enrolment = nil
            throw .keepaliveCancel
        }
        return sample
    }

    private func keep(_ enrolment: AuthenticatorSession.Enrolment) throws(CTAPStatus) {
        try commit {
            $0.fingerprints.append(FingerprintTemplate(id: enrolment.template))
            $0.verificationRetries = AuthenticatorState.maximumVerificationRetries
        }
    }

    // MARK: Managing

    private func place(_ request: BioEnrollmentRequest) throws(CTAPStatus) -> Int {
        try checkToken(request)
        guard let template = request.templateId else { throw .missingParameter }
        guard let place = state.fingerprints.firstIndex(where: { $0.id == template }) else {
            throw .invalidOption
        }
        return place
    }

    private func rename(_ request: BioEnrollmentRequest) throws(CTAPStatus) {
        let place = try place(request)
        guard let name = request.templateFriendlyName else { throw .missingParameter }
        guard name.utf8.count <= Self.longestName else { throw .invalidLength }
        try commit { $0.fingerprints[place].friendlyName = name }
    }

    private func remove(_ request: BioEnrollmentRequest) throws(CTAPStatus) {
        let place = try place(request)
        try commit { $0.fingerprints.remove(at: place) }
    }
}
