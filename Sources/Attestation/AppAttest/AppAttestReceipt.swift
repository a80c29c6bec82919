// SPDX-License-Identifier: Apache-2.0
package import Primitives
import WebAuthn

/// The receipt in an App Attest attestation (Apple, "Assessing Fraud Risk"): PKCS #7 around a SET
/// of numbered fields.
///
/// ``AppAttestVerifier`` verifies Apple's signature, the age and the relation to the attestation. A
/// receipt that is only read by ``init(pkcs7:)`` is unverified.
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
    /// The approximate number of recent attestations of the device; only after a refresh. Field 17.
    package let riskMetric: Int64?
    /// The time before which Apple responds to a refresh with 304. Field 19.
    package let notBefore: Timestamp?
    /// Field 21.
    package let expires: Timestamp

    /// The maximum age of a receipt in an attestation: Apple's five minutes.
    static let maximumAge = TimeSpan.minutes(5)
    /// The accepted skew of Apple's clock into the future.
    static let clockTolerance = TimeSpan.minutes(1)

    /// Reads the fields without verifying the signature.
    package init(pkcs7 bytes: [UInt8]) throws(AttestationRefusal) {
        try self.init(SignedReceipt(pkcs7: bytes))
    }

    init(_ signed: SignedReceipt) throws(AttestationRefusal) {
        try self.init(Fields(signed.payload))
    }

    private init(_ fields: Fields) throws(AttestationRefusal) {
        application = try fields.requiredText(2)
        guard let certificate = fields.values[3] else {
            throw SignedReceipt.malformed("no field 3")
        }
        self.certificate = Array(certificate)
        clientHash = fields.values[4].map { Array($0) }
        type = try fields.requiredText(6)
        environment = try fields.text(7)
        created = try fields.requiredTime(12)
        riskMetric = try fields.number(17)
        notBefore = try fields.time(19)
        expires = try fields.requiredTime(21)
    }
}

/// `SET OF SEQUENCE { type INTEGER, version INTEGER, value OCTET STRING }`.
private struct Fields {
    let values: [Int64: ArraySlice<UInt8>]

    init(_ payload: ArraySlice<UInt8>) throws(AttestationRefusal) {
        guard let entries = (try? ASN1Element(payload, rules: .ber))?.set else {
            throw SignedReceipt.malformed("no set of fields")
        }
        var values: [Int64: ArraySlice<UInt8>] = [:]
        for entry in entries {
            guard let parts = entry.sequence, parts.count == 3,
                let type = parts[0].integer, let value = parts[2].octets
            else { throw SignedReceipt.malformed("a field cannot be read") }
            guard values.updateValue(value, forKey: type) == nil else {
                throw SignedReceipt.malformed("field \(type) is repeated")
            }
        }
        self.values = values
    }

    func text(_ number: Int64) throws(AttestationRefusal) -> String? {
        guard let value = values[number] else { return nil }
        guard let text = String(validating: value, as: UTF8.self) else {
            throw SignedReceipt.malformed("field \(number) is not a text")
        }
        return text
    }

    func requiredText(_ number: Int64) throws(AttestationRefusal) -> String {
        guard let text = try text(number) else {
            throw SignedReceipt.malformed("no field \(number)")
        }
        return text
    }

    func time(_ number: Int64) throws(AttestationRefusal) -> Timestamp? {
        guard let text = try text(number), !text.isEmpty else { return nil }
        guard let time = Timestamp(rfc3339: text) else {
            throw SignedReceipt.malformed("field \(number) is not a time")
        }
        return time
    }

    func requiredTime(_ number: Int64) throws(AttestationRefusal) -> Timestamp {
        guard let time = try time(number) else {
            throw SignedReceipt.malformed("no field \(number)")
        }
        return time
    }

    func number(_ number: Int64) throws(AttestationRefusal) -> Int64? {
        guard let text = try text(number) else { return nil }
        guard let value = Int64(text), value >= 0 else {
            throw SignedReceipt.malformed("field \(number) is not a number")
        }
        return value
    }
}

extension AppAttestReceipt {
    /// Checks that the receipt belongs to this attestation.
    func require(
        application: String, environment: AppAttestEnvironment, certificate: [UInt8],
        challenge: [UInt8]
    ) throws(AttestationRefusal) {
        let checks = [
            ("the app", self.application == application), ("the type", type == "ATTEST"),
            ("the certificate", self.certificate == certificate),
            ("the challenge", clientHash.map { $0 == challenge } ?? true),
            ("the environment", self.environment.map { $0 == environment.receiptName } ?? true),
        ]
        for (name, isRight) in checks where !isRight {
            throw AttestationRefusal(.receiptMismatch, "receipt: \(name) is another")
        }
    }

    /// Checks that the receipt is recent, and has not expired.
    func requireFresh(at now: Timestamp) throws(AttestationRefusal) {
        guard created <= now + Self.clockTolerance, now <= created + Self.maximumAge,
            now <= expires
        else {
            throw AttestationRefusal(
                .receiptOutdated, "receipt: made \(created.rfc3339), expires \(expires.rfc3339)")
        }
    }
}
