// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives
import SwiftASN1
import X509

/// A certificate together with the DER that it was read from.
///
/// Modules that do not import swift-certificates use X.509 through this type, which exposes none of
/// that library's types (docs/decisions/0002, 0011).
package struct AttestationCertificate: Sendable {
    package let der: [UInt8]
    /// Its fields, as swift-certificates reads them; see ``isAmended``.
    let certificate: Certificate
    private let amended: AmendedCertificate?

    init(der: [UInt8], certificate: Certificate) {
        self.init(der: der, certificate, nil)
    }

    private init(der: [UInt8], _ certificate: Certificate, _ amended: AmendedCertificate?) {
        self.der = der
        self.certificate = certificate
        self.amended = amended
    }

    /// Reads one certificate.
    init(der: [UInt8]) throws {
        do { self.init(der: der, try Certificate(derEncoded: der), nil) } catch {
            guard let amended = AmendedCertificate(der: der) else { throw error }
            self.init(der: der, amended.certificate, amended)
        }
    }

    /// Whether ``certificate`` differs from the received one.
    var isAmended: Bool { amended != nil }

    /// The certified ML-DSA key; then the key in ``certificate`` is a placeholder.
    var mlDSAKey: MLDSAPublicKey? { amended?.mlDSAKey }

    /// `tbsCertificate` as its issuer signed it.
    private var signedBytes: ArraySlice<UInt8> {
        amended?.signedBytes ?? certificate.tbsCertificateBytes
    }

    private var isSerialNegative: Bool { amended?.isSerialNegative ?? false }

    /// The longest certificate that is read, in bytes.
    package static let maximumBytes = 8192

    /// Whether it names itself as its issuer, as roots do.
    package var isSelfIssued: Bool { certificate.issuer == certificate.subject }

    /// Big-endian, without leading zeros; at least one byte. Of a negative number its octets.
    package var serialNumber: [UInt8] {
        let bytes = certificate.serialNumber.bytes.drop { $0 == 0 }
        return bytes.isEmpty ? [0] : Array(bytes)
    }

    /// The content of the serial number's INTEGER in two's complement, which distinguishes negative
    /// from positive numbers.
    var serialOctets: [UInt8] {
        let octets = serialNumber
        return octets.first ?? 0 >= 0x80 && !isSerialNegative ? [0] + octets : octets
    }

    /// The serial number in lower-case hexadecimal without leading zeros, a negative one with its sign.
    package var serialText: String {
        var octets = serialNumber
        if isSerialNegative {
            // Two's complement.
            var carries = true
            for index in octets.indices.reversed() {
                octets[index] = ~octets[index]
                if carries { (octets[index], carries) = octets[index].addingReportingOverflow(1) }
            }
        }
        let digits = Hexadecimal.encode(octets).drop { $0 == "0" }
        return (isSerialNegative ? "-" : "") + (digits.isEmpty ? "0" : digits)
    }

    /// The certified key, or `nil` if its kind is not supported.
    package var publicKey: PublicJWK? { mlDSAKey == nil ? PublicJWK(certificate.publicKey) : nil }

    /// Whether `now` is inside its validity period.
    package func isValid(at now: Timestamp) -> Bool {
        guard let date = now.validationDate else { return false }
        return certificate.notValidBefore <= date && date <= certificate.notValidAfter
    }

    /// Whether `issuer` is named as its issuer and its key has signed it.
    package func isIssued(by issuer: AttestationCertificate) -> Bool {
        certificate.issuer == issuer.certificate.subject && issuer.mlDSAKey == nil
            && isSigned(by: issuer.certificate.publicKey)
    }

    func isSigned(by key: Certificate.PublicKey) -> Bool {
        key.isValidSignature(
            certificate.signature.rawRepresentation, for: signedBytes,
            signatureAlgorithm: certificate.signatureAlgorithm)
    }

    /// Whether it may sign certificates (RFC 5280 sections 4.2.1.9 and 4.2.1.3): of version 3,
    /// a CA by its basic constraints, and by its key usage when it has one.
    package var isAuthority: Bool {
        guard certificate.version == .v3,
            case .isCertificateAuthority? = try? certificate.extensions.basicConstraints
        else { return false }
        do { return try certificate.extensions.keyUsage?.keyCertSign ?? true } catch {
            return false
        }
    }

    /// Returns the value of an extension: the content of its OCTET STRING.
    ///
    /// - Parameter identifier: In dotted form, `1.2.840.113635.100.8.2`.
    package func extensionValue(_ identifier: String) -> ArraySlice<UInt8>? {
        guard let identifier = try? ASN1ObjectIdentifier(dotRepresentation: identifier) else {
            return nil
        }
        return certificate.extensions[oid: identifier]?.value
    }
}

extension AttestationCertificate {
    /// Returns why the certificate is not one of a TPM's attestation identity key (WebAuthn section
    /// 8.3.1), or `nil` if it is.
    ///
    /// - Parameter vendors: The accepted manufacturers; `nil` accepts all.
    package func identityKeyFault(vendors: Set<String>?) -> String? {
        do throws(StatementRefusal) {
            try TPMCertificateRequirements.check(certificate, vendors: vendors)
            return nil
        } catch { return error.reason }
    }

    /// The critical extensions that ``identityKeyFault(vendors:)`` has verified, in dotted form.
    package static let identityKeyExtensions = TPMCertificateRequirements.verifiedExtensions.map {
        "\($0)"
    }
}
