// SPDX-License-Identifier: Apache-2.0
import SwiftASN1
import X509

/// Section 8.3.1, "TPM Attestation Statement Certificate Requirements".
enum TPMCertificateRequirements {
    /// The extensions that are verified here, so that a path may contain them as critical.
    static let verifiedExtensions: [ASN1ObjectIdentifier] = [
        .X509ExtensionID.subjectAlternativeName, .X509ExtensionID.extendedKeyUsage,
    ]

    /// `tcg-kp-AIKCertificate`.
    private static let attestationIdentityKey: ASN1ObjectIdentifier = [2, 23, 133, 8, 3]
    private static let manufacturer: ASN1ObjectIdentifier = [2, 23, 133, 2, 1]
    private static let model: ASN1ObjectIdentifier = [2, 23, 133, 2, 2]
    private static let version: ASN1ObjectIdentifier = [2, 23, 133, 2, 3]

    /// - Parameter vendors: The manufacturers that are accepted; `nil` accepts any.
    static func check(
        _ certificate: Certificate, vendors: Set<String>?
    ) throws(StatementRefusal) {
        guard certificate.version == .v3 else { throw refusal("not of version 3") }
        guard certificate.subject.isEmpty else { throw refusal("the subject is not empty") }
        let device = try device(of: certificate).vendor
        try checkUsage(certificate)
        guard let vendors else { return }
        guard vendors.contains(device) else {
            throw StatementRefusal(.attestationTPMVendorNotAllowed, "vendor \(device)")
        }
    }

    /// Returns the TPM that a certificate names.
    ///
    /// The subject alternative name contains manufacturer, model and version (TPM 2.0 EK Profile
    /// section 3.2.9). It must be critical if the subject is empty.
    static func device(of certificate: Certificate) throws(StatementRefusal) -> TPMManufacturer {
        guard
            let found = certificate.extensions[oid: .X509ExtensionID.subjectAlternativeName],
            found.critical || !certificate.subject.isEmpty
        else { throw refusal("the subject alternative name is missing or not critical") }
        let names: SubjectAlternativeNames
        do { names = try SubjectAlternativeNames(found) } catch {
            throw refusal("the subject alternative name cannot be read")
        }
        let attributes = names.flatMap { name -> [RelativeDistinguishedName.Attribute] in
            if case .directoryName(let name) = name { name.flatMap { $0 } } else { [] }
        }
        let model = try attribute(model, "model", of: attributes)
        let version = try attribute(version, "version", of: attributes)
        let vendor = try attribute(manufacturer, "manufacturer", of: attributes)
        guard vendor.utf8.count == 11, vendor.utf8.starts(with: "id:".utf8),
            vendor.dropFirst(3).allSatisfy({ $0.isHexDigit && $0.isASCII })
        else { throw refusal("the TPM's manufacturer is not an identifier") }
        return TPMManufacturer(
            vendor: "id:" + vendor.dropFirst(3).uppercased(), model: model, version: version)
    }

    private static func attribute(
        _ type: ASN1ObjectIdentifier, _ name: String,
        of attributes: [RelativeDistinguishedName.Attribute]
    ) throws(StatementRefusal) -> String {
        let found = attributes.filter { $0.type == type }
        guard found.count == 1, let text = String(found[0].value), !text.isEmpty else {
            throw refusal("the TPM's \(name) is missing, repeated or no text")
        }
        return text
    }

    /// Checks that the certificate is for attestation identity keys, and not a CA's.
    private static func checkUsage(_ certificate: Certificate) throws(StatementRefusal) {
        let usages: ExtendedKeyUsage?
        let constraints: BasicConstraints?
        do {
            usages = try certificate.extensions.extendedKeyUsage
            constraints = try certificate.extensions.basicConstraints
        } catch { throw refusal("an extension cannot be read") }
        guard usages?.contains(.init(oid: attestationIdentityKey)) == true else {
            throw refusal("not for attestation identity keys")
        }
        guard constraints == .notCertificateAuthority else {
            throw refusal("basic constraints do not exclude a CA")
        }
    }

    private static func refusal(_ reason: String) -> StatementRefusal {
        StatementRefusal(.attestationCertificateInvalid, reason)
    }
}
