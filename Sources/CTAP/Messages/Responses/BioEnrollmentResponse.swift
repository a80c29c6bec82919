// SPDX-License-Identifier: Apache-2.0
import CBOR

/// The reply to `authenticatorBioEnrollment`.
package struct BioEnrollmentResponse: Sendable, Equatable {
    package var modality: UInt8?
    /// 1 touch, 2 swipe.
    package var fingerprintKind: UInt8?
    package var maxCaptureSamplesRequiredForEnroll: Int?
    package var templateId: [UInt8]?
    /// A number of the table in section 6.7.4; 0 is a good sample.
    package var lastEnrollSampleStatus: UInt8?
    package var remainingSamples: Int?
    package var templateInfos: [FingerprintTemplate]?
    package var maxTemplateFriendlyName: Int?

    package init() {}

    /// Decodes a response. Empty input is an empty response, as removeEnrollment has.
    package init(cbor bytes: [UInt8]) throws(CTAPMessageError) {
        let reader = try CTAPMapReader(bytes, "bioEnrollmentResponse", allowsEmpty: true)
        modality = try reader.octet(1, "modality")
        fingerprintKind = try reader.octet(2, "fingerprintKind")
        maxCaptureSamplesRequiredForEnroll = try reader.count(
            3, "maxCaptureSamplesRequiredForEnroll")
        templateId = try reader.bytes(4, "templateId")
        lastEnrollSampleStatus = try reader.octet(5, "lastEnrollSampleStatus")
        remainingSamples = try reader.count(6, "remainingSamples")
        templateInfos = try reader.list(7, "templateInfos", FingerprintTemplate.init)
        maxTemplateFriendlyName = try reader.count(8, "maxTemplateFriendlyName")
    }

    /// Canonical CBOR, without the status byte; nothing for an empty reply.
    package func encode() -> [UInt8] {
        var writer = CTAPMapWriter()
        writer.set(1, octet: modality)
        writer.set(2, octet: fingerprintKind)
        writer.set(3, count: maxCaptureSamplesRequiredForEnroll)
        writer.set(4, bytes: templateId)
        writer.set(5, octet: lastEnrollSampleStatus)
        writer.set(6, count: remainingSamples)
        writer.set(7, templateInfos.map { .array($0.map(\.cbor)) })
        writer.set(8, count: maxTemplateFriendlyName)
        return writer.entries.isEmpty ? [] : writer.encoded
    }
}
