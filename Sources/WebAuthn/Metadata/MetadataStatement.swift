// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives

/// A manufacturer's statement about an authenticator model: `MetadataStatement` (FIDO Metadata
/// Statements 3.1 section 4), as far as a relying party uses or displays it.
package struct MetadataStatement: Sendable, Equatable {
    /// The English name, without control characters; at most 200 characters.
    package let name: String
    /// `fido2`, `u2f` or `uaf`.
    package let protocolFamily: String
    package let authenticatorVersion: UInt32?
    /// `basic_full`, `basic_surrogate`, `attca`, `anonca`, `ecdaa`, `none`.
    package let attestationTypes: [String]
    /// Names of the FIDO Registry of Predefined Values section 3.6.1.
    package let authenticationAlgorithms: [String]
    /// DER.
    package let attestationRootCertificates: [[UInt8]]
    /// `hardware`, `secure_element`, `software`, `tee`, `remote_handle`.
    package let keyProtection: [String]
    /// `internal`, `external`, `wired`, `nfc`, …
    package let attachmentHint: [String]
    package let icon: AuthenticatorIcon?

    private static let maximumCertificates = 128
    private static let maximumCertificateBytes = 8192

    package init(_ reader: JSONReader<JSONMemberError>) throws(JSONMemberError) {
        let json = reader.object
        name = Self.shown(try reader.required("description", .string))
        protocolFamily = json["protocolFamily"]?.string ?? "fido2"
        authenticatorVersion = json["authenticatorVersion"]?.integer.flatMap { UInt32(exactly: $0) }
        attestationTypes = try reader.required(
            "attestationTypes", .strings.map("names of types") { $0.isEmpty ? nil : $0 })
        authenticationAlgorithms = json["authenticationAlgorithms"]?.strings ?? []
        attestationRootCertificates = try reader.required(
            "attestationRootCertificates",
            .list(
                of: .certificate(0...Self.maximumCertificateBytes), atMost: Self.maximumCertificates
            ))
        keyProtection = json["keyProtection"]?.strings ?? []
        attachmentHint = json["attachmentHint"]?.strings ?? []
        icon = json["icon"]?.string.flatMap { AuthenticatorIcon(dataURL: $0) }
    }

    /// Returns a text that is safe for display: without control and formatting characters, which
    /// could change the direction of the surrounding text.
    private static func shown(_ text: String) -> String {
        let scalars = text.unicodeScalars.filter {
            switch $0.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
                false
            default: true
            }
        }
        return String(String(String.UnicodeScalarView(scalars)).prefix(200))
    }

    /// The attestation types of the model. ECDAA is not supported (Level 3 section 6.5.3 removed
    /// it) and has no counterpart.
    package var acceptedAttestation: Set<AttestationType> {
        var accepted: Set<AttestationType> = []
        for type in attestationTypes {
            switch type {
            case "basic_full", "attca", "anonca": accepted.insert(.certified)
            case "basic_surrogate": accepted.insert(.selfAttestation)
            case "none": accepted.insert(.none)
            default: break
            }
        }
        return accepted
    }

    /// The COSE algorithms that the statement lists, or `nil` if it lists none or an unknown one.
    package var algorithms: [COSEAlgorithm]? {
        guard !authenticationAlgorithms.isEmpty else { return nil }
        var numbers: [Int64] = []
        for name in authenticationAlgorithms {
            guard let known = Self.registry[name] else { return nil }
            numbers += known
        }
        return numbers.compactMap { COSEAlgorithm(rawValue: $0) }
    }

    /// Registry section 3.6.1: name to the COSE numbers that mean the same.
    private static let registry: [String: [Int64]] = [
        "secp256r1_ecdsa_sha256_raw": [-7, -9], "secp256r1_ecdsa_sha256_der": [-7, -9],
        "rsassa_pss_sha256_raw": [-37], "rsassa_pss_sha256_der": [-37],
        "rsassa_pss_sha384_raw": [-38], "rsassa_pss_sha512_raw": [-39],
        "secp256k1_ecdsa_sha256_raw": [-47], "secp256k1_ecdsa_sha256_der": [-47],
        "rsa_emsa_pkcs1_sha256_raw": [-257], "rsa_emsa_pkcs1_sha256_der": [-257],
        "rsassa_pkcsv15_sha256_raw": [-257], "rsassa_pkcsv15_sha384_raw": [-258],
        "rsassa_pkcsv15_sha512_raw": [-259], "rsassa_pkcsv15_sha1_raw": [-65535],
        "secp384r1_ecdsa_sha384_raw": [-35, -51], "secp521r1_ecdsa_sha512_raw": [-36, -52],
        "secp512r1_ecdsa_sha256_raw": [-36, -52], "ed25519_eddsa_sha512_raw": [-8, -19],
        "ed448_eddsa_sha512_raw": [-53], "sm2_sm3_raw": [],
    ]
}

extension JSONForm<[UInt8]> {
    /// DER with that number of bytes, in Base64.
    static func certificate(_ bytes: ClosedRange<Int>) -> JSONForm {
        JSONForm<String>.string.map("a certificate in Base64") { text in
            Base64.decode(text, skippingWhitespace: true).flatMap { bytes ~= $0.count ? $0 : nil }
        }
    }
}
