// SPDX-License-Identifier: Apache-2.0
import Primitives

/// `authenticatorBioEnrollment` (CTAP 2.1 section 6.7). The ``UserGesture`` supplies the samples of
/// the sensor.
struct BioEnrollmentCommand: GestureCommand {
    /// The maximum length of a fingerprint's name, in bytes.
    private static let maximumNameLength = 64

    private let request: BioEnrollmentRequest
    private let preview: Bool
    /// The enrolment that waits for a sample.
    private var enrollment: AuthenticatorSession.Enrollment?

    init(_ request: BioEnrollmentRequest, preview: Bool) {
        (self.request, self.preview) = (request, preview)
    }

    mutating func begin(
        _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> CommandProgress<[UInt8]> {
        try machine.configuration.validate(preview: preview)
        guard machine.configuration.verification == .fingerprint else { throw .invalidCommand }
        if request.getModality == true {
            var response = BioEnrollmentResponse()
            response.modality = BioEnrollmentRequest.fingerprint
            return .finished(response.encode())
        }
        guard let subcommand = request.subcommand else { throw .missingParameter }
        guard let modality = request.modality else { throw .missingParameter }
        guard modality == BioEnrollmentRequest.fingerprint else { throw .invalidParameter }
        return try perform(subcommand, &machine)
    }

    private mutating func perform(
        _ subcommand: BioEnrollmentRequest.Subcommand, _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> CommandProgress<[UInt8]> {
        var response = BioEnrollmentResponse()
        switch subcommand {
        case .getFingerprintSensorInfo:
            response.modality = BioEnrollmentRequest.fingerprint
            response.fingerprintKind = 1
            response.maxCaptureSamplesRequiredForEnroll =
                machine.configuration.samplesPerFingerprint
            response.maxTemplateFriendlyName = Self.maximumNameLength
        case .cancelCurrentEnrollment: machine.session.enrollment = nil
        case .enrollBegin, .enrollCaptureNextSample:
            enrollment = try enrollment(subcommand, &machine)
            return .gesture(.sample)
        case .enumerateEnrollments:
            try verifyToken(&machine)
            guard !machine.state.fingerprints.isEmpty else { throw .invalidOption }
            response.templateInfos = machine.state.fingerprints
        case .setFriendlyName: try rename(&machine)
        case .removeEnrollment: try remove(&machine)
        }
        return .finished(response.encode())
    }

    mutating func resume(
        after result: GestureResult, _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> CommandProgress<[UInt8]> {
        guard var enrollment, case .sample(let sample) = result.outcome else { throw .other }
        guard !result.isCancelled else {
            machine.session.enrollment = nil
            throw .keepaliveCancel
        }
        if sample == .good { enrollment.remaining -= 1 }
        machine.session.enrollment = enrollment.remaining > 0 ? enrollment : nil
        if enrollment.remaining == 0 { try Self.save(enrollment, &machine) }
        var response = BioEnrollmentResponse()
        if request.subcommand == .enrollBegin { response.templateId = enrollment.template }
        response.lastEnrollSampleStatus = sample.rawValue
        response.remainingSamples = enrollment.remaining
        return .finished(response.encode())
    }

    private func verifyToken(_ machine: inout AuthenticatorMachine) throws(CTAPStatus) {
        guard let parameter = request.pinUvAuthParam else { throw .pinRequired }
        try machine.verifyToken(
            parameter, over: request.authenticatedBytes, request.pinUvAuthProtocol,
            permission: .bioEnrollment)
    }

    // MARK: Enrolment

    /// Returns the enrolment that the sample belongs to: a new one for enrollBegin.
    private func enrollment(
        _ subcommand: BioEnrollmentRequest.Subcommand, _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> AuthenticatorSession.Enrollment {
        try verifyToken(&machine)
        if subcommand == .enrollBegin {
            guard machine.state.fingerprints.count < machine.configuration.maximumFingerprints
            else { throw .fingerprintDatabaseFull }
            machine.session.enrollment = AuthenticatorSession.Enrollment(
                template: machine.random.bytes(16),
                remaining: machine.configuration.samplesPerFingerprint)
        } else {
            guard let template = request.templateId else { throw .missingParameter }
            guard machine.session.enrollment?.template == template else { throw .invalidParameter }
        }
        guard let enrollment = machine.session.enrollment else { throw .notAllowed }
        return enrollment
    }

    private static func save(
        _ enrollment: AuthenticatorSession.Enrollment, _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) {
        try machine.commit {
            $0.fingerprints.append(FingerprintTemplate(id: enrollment.template))
            $0.verificationRetries = AuthenticatorState.maximumVerificationRetries
        }
    }

    // MARK: Administration

    private func index(_ machine: inout AuthenticatorMachine) throws(CTAPStatus) -> Int {
        try verifyToken(&machine)
        guard let template = request.templateId else { throw .missingParameter }
        guard let index = machine.state.fingerprints.firstIndex(where: { $0.id == template })
        else { throw .invalidOption }
        return index
    }

    private func rename(_ machine: inout AuthenticatorMachine) throws(CTAPStatus) {
        let index = try index(&machine)
        guard let name = request.templateFriendlyName else { throw .missingParameter }
        guard name.utf8.count <= Self.maximumNameLength else { throw .invalidLength }
        try machine.commit { $0.fingerprints[index].friendlyName = name }
    }

    private func remove(_ machine: inout AuthenticatorMachine) throws(CTAPStatus) {
        let index = try index(&machine)
        try machine.commit { $0.fingerprints.remove(at: index) }
    }
}

extension AuthenticatorConfiguration {
    /// Refuses the preview form of a command if the key does not support it.
    func validate(preview: Bool) throws(CTAPStatus) {
        if preview, !knowsPreviewCommands { throw .invalidCommand }
    }
}
