// SPDX-License-Identifier: Apache-2.0
package import Primitives
import WebAuthn

/// The receipt that comes with an App Attest attestation (Apple, "Assessing Fraud Risk"): PKCS #7
/// around a SET of numbered fields.
///
/// Nothing in it is trusted because it stands there: its signature is not verified here, since
/// what it is good for, the risk metric, comes from Apple over TLS in exchange for it. What it
/// says of the attestation that it came with must be true of that, though.
package struct AppAttestReceipt: Sendable {
    /// The App ID, field 2.
    package let application: String
    /// DER of the attested certificate, field 3.
    package let certificate: [UInt8]
    /// The challenge, field 4.
    package let clientHash: [UInt8]?
    /// Field 6: `ATTEST`, or `RECEIPT` when it was refreshed.
    package let type: String
    /// `sandbox` or `production`, field 7.
    package let environment: String?
    /// Field 12.
    package let created: Timestamp
    /// How many attestations the device made lately, roughly; only after a refresh. Field 17.
    package let riskMetric: Int64?
    /// Before this Apple answers a refresh with 304. Field 19.
    package let notBefore: Timestamp?
    /// Field 21.
    package let expires: Timestamp

    /// The longest receipt that is read, in bytes.
    static let maximumBytes = 32_768

    /// Reads BER, where strings may come in pieces.
    package init(pkcs7 bytes: [UInt8]) throws(AttestationRefusal) {
        guard bytes.count <= Self.maximumBytes else { throw Self.malformed("too long") }
        guard let signed = (try? ASN1Element(bytes[...], rules: .ber))?.sequence,
            signed.count == 2, signed[0].objectIdentifier == "1.2.840.113549.1.7.2",
            // SignedData (RFC 5652 section 5.1): version, digests, content, …
            let parts = signed[1].explicit(0)?.sequence, parts.count >= 4,
            let content = parts[2].sequence, content.count == 2,
            content[0].objectIdentifier == "1.2.840.113549.1.7.1",
            let payload = content[1].explicit(0)?.octets
        else { throw Self.malformed("no signed data") }
        try self.init(Fields(payload))
    }

    private init(_ fields: Fields) throws(AttestationRefusal) {
        application = try fields.requiredText(2)
        guard let certificate = fields.values[3] else { throw Self.malformed("no field 3") }
        self.certificate = Array(certificate)
        clientHash = fields.values[4].map { Array($0) }
        type = try fields.requiredText(6)
        environment = try fields.text(7)
        created = try fields.requiredTime(12)
        riskMetric = try fields.number(17)
        notBefore = try fields.time(19)
        expires = try fields.requiredTime(21)
    }

    fileprivate static func malformed(_ reason: String) -> AttestationRefusal {
        AttestationRefusal(.receiptMalformed, "receipt: \(reason)")
    }
}

/// `SET OF SEQUENCE { type INTEGER, version INTEGER, value OCTET STRING }`.
private struct Fields {
    let values: [Int64: ArraySlice<UInt8>]

    init(_ payload: ArraySlice<UInt8>) throws(AttestationRefusal) {
        guard let entries = (try? ASN1Element(payload, rules: .ber))?.set else {
            throw AppAttestReceipt.malformed("no set of fields")
        }
        var values: [Int64: ArraySlice<UInt8>] = [:]
        for entry in entries {
            guard let parts = entry.sequence, parts.count == 3,
                let type = parts[0].integer, let value = parts[2].octets
            else { throw AppAttestReceipt.malformed("a field cannot be read") }
            guard values.updateValue(value, forKey: type) == nil else {
                throw AppAttestReceipt.malformed("field \(type) comes twice")
            }
        }
        self.values = values
    }

    func text(_ number: Int64) throws(AttestationRefusal) -> String? {
        guard let value = values[number] else { return nil }
        guard let text = String(validating: value, as: UTF8.self) else {
            throw AppAttestReceipt.malformed("field \(number) is no text")
        }
        return text
    }

    func requiredText(_ number: Int64) throws(AttestationRefusal) -> String {
        guard let text = try text(number) else {
            throw AppAttestReceipt.malformed("no field \(number)")
        }
        return text
    }

    func time(_ number: Int64) throws(AttestationRefusal) -> Timestamp? {
        guard let text = try text(number), !text.isEmpty else { return nil }
        guard let time = Timestamp(rfc3339: text) else {
            throw AppAttestReceipt.malformed("field \(number) is no time")
        }
        return time
    }

    func requiredTime(_ number: Int64) throws(AttestationRefusal) -> Timestamp {
        guard let time = try time(number) else {
            throw AppAttestReceipt.malformed("no field \(number)")
        }
        return time
    }

    func number(_ number: Int64) throws(AttestationRefusal) -> Int64? {
        guard let text = try text(number) else { return nil }
        guard let value = Int64(text), value >= 0 else {
            throw AppAttestReceipt.malformed("field \(number) is no number")
        }
        return value
    }
}

extension AppAttestReceipt {
    /// It came with this attestation.
    func require(
        application: String, environment: AppAttestEnvironment, certificate: [UInt8],
        challenge: [UInt8]
    ) throws(AttestationRefusal) {
        let checks = [
            ("the app", self.application == application),
            ("the certificate", self.certificate == certificate),
            ("the challenge", clientHash.map { $0 == challenge } ?? true),
            ("the environment", self.environment.map { $0 == environment.receiptName } ?? true),
        ]
        for (name, isRight) in checks where !isRight {
            throw AttestationRefusal(.receiptMismatch, "receipt: \(name) is another")
        }
    }
}
