// SPDX-License-Identifier: Apache-2.0
import CBOR

/// `authenticatorBioEnrollment` (CTAP 2.2 section 6.7).
package struct BioEnrollmentRequest: Sendable, Equatable {
    package enum Subcommand: UInt8, Sendable, CaseIterable {
        case enrollBegin = 0x01
        case enrollCaptureNextSample = 0x02
        case cancelCurrentEnrollment = 0x03
        case enumerateEnrollments = 0x04
        case setFriendlyName = 0x05
        case removeEnrollment = 0x06
        case getFingerprintSensorInfo = 0x07
    }

    /// The only modality that exists.
    package static let fingerprint: UInt8 = 1

    package var modality: UInt8?
    package var subcommand: Subcommand?
    package var templateId: [UInt8]?
    package var templateFriendlyName: String?
    package var timeoutMilliseconds: Int?
    package var pinUvAuthProtocol: UInt8?
    package var pinUvAuthParam: [UInt8]?
    package var getModality: Bool?
    /// The subcommand parameters as they were received, which is what is authenticated.
    private var receivedParameters: [UInt8]?

    /// A subcommand of the fingerprint modality.
    package init(_ subcommand: Subcommand) {
        modality = Self.fingerprint
        self.subcommand = subcommand
    }

    /// The question which modality there is.
    package static var modalityQuestion: BioEnrollmentRequest {
        var request = BioEnrollmentRequest()
        request.getModality = true
        return request
    }

    private init() {}

    package init(cbor bytes: [UInt8]) throws(CTAPMessageError) {
        let reader = try CTAPMapReader(bytes, "bioEnrollment")
        modality = try reader.octet(1, "modality")
        subcommand = try reader.subcommand(2)
        if let parameters = try reader.map(3, "subCommandParams") {
            templateId = try parameters.bytes(1, "templateId")
            templateFriendlyName = try parameters.text(2, "templateFriendlyName")
            timeoutMilliseconds = try parameters.count(3, "timeoutMilliseconds")
            receivedParameters = CBORValue.map(parameters.entries).encoded(ordering: .ctap2)
        }
        pinUvAuthProtocol = try reader.octet(4, "pinUvAuthProtocol")
        pinUvAuthParam = try reader.bytes(5, "pinUvAuthParam")
        getModality = try reader.bool(6, "getModality")
    }

    private var parameters: CBORValue? {
        var writer = CTAPMapWriter()
        writer.set(1, bytes: templateId)
        writer.set(2, text: templateFriendlyName)
        writer.set(3, count: timeoutMilliseconds)
        return writer.entries.isEmpty ? nil : writer.cbor
    }

    /// Canonical CBOR, without the command byte.
    package func encode() -> [UInt8] {
        var writer = CTAPMapWriter()
        writer.set(1, octet: modality)
        writer.set(2, octet: subcommand?.rawValue)
        writer.set(3, parameters)
        writer.set(4, octet: pinUvAuthProtocol)
        writer.set(5, bytes: pinUvAuthParam)
        writer.set(6, bool: getModality)
        return writer.encoded
    }

    /// The bytes that `pinUvAuthParam` authenticates (section 6.7).
    package var authenticatedBytes: [UInt8] {
        [modality ?? Self.fingerprint, subcommand?.rawValue ?? 0]
            + (receivedParameters ?? parameters?.encoded(ordering: .ctap2) ?? [])
    }
}
