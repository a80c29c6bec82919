// SPDX-License-Identifier: Apache-2.0
import JOSE
package import Primitives
package import WebAuthn

/// The revoked certificates of Android's key attestation (Android Developers, "Verify
/// hardware-backed key pairs with key attestation", certificate revocation status list):
/// `{"entries":{"SERIAL":{"status":"REVOKED"|"SUSPENDED","reason":…}}}`, serial numbers in
/// lower-case hexadecimal without leading zeros.
package struct RevocationStatusList: Sendable {
    /// The time of the fetch, which also determines the age of a saved copy.
    package let fetched: Timestamp
    private let statuses: [String: String]
    /// Entries whose name is not a serial number, so that they apply to no certificate. For the
    /// log.
    package let unreadable: [String]

    /// The URL of Google's list. The list is protected by TLS and is not signed.
    package static let address = "https://android.googleapis.com/attestation/status"
    /// The maximum size of a list, in bytes.
    package static let maximumBytes = 8 << 20

    /// Parses a list. An entry whose name is not a serial number is ignored, so that the others
    /// remain effective. An entry with a serial number revokes the certificate, whatever its
    /// content.
    package init(json: [UInt8], fetched: Timestamp) throws(RevocationStatusListError) {
        let object: JSONObject
        do { object = try JSONParser.parseObject(json, maximumBytes: Self.maximumBytes) } catch {
            throw .malformed(error.code)
        }
        guard let entries = object["entries"]?.object else { throw .malformed("no entries") }
        var statuses: [String: String] = [:]
        var unreadable: [String] = []
        for entry in entries.members {
            guard let serial = Self.normalized(entry.name) else {
                unreadable.append(entry.name)
                continue
            }
            let status = entry.value["status"]?.string ?? ""
            statuses[serial] = status.isEmpty ? "listed" : status
        }
        self.statuses = statuses
        self.unreadable = unreadable
        self.fetched = fetched
    }

    package var count: Int { statuses.count }

    /// Returns the status of a certificate, or `nil` if the list does not contain it. A listed
    /// certificate is refused, whatever its status.
    package func status(of certificate: AttestationCertificate) -> String? {
        statuses[certificate.serialText]
    }

    /// Google writes negative serial numbers with a sign.
    private static func normalized(_ serial: String) -> String? {
        if serial.first == "-" { return normalized(String(serial.dropFirst())).map { "-\($0)" } }
        let isNumber = serial.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
                UInt8(ascii: "A")...UInt8(ascii: "F"):
                true
            default: false
            }
        }
        guard isNumber, !serial.isEmpty else { return nil }
        let digits = serial.lowercased().drop { $0 == "0" }
        return digits.isEmpty ? "0" : String(digits)
    }
}

/// An error of parsing a list.
package enum RevocationStatusListError: Error, Sendable, Equatable {
    case malformed(String)
}

extension AndroidKeyPolicy.Revocation {
    /// Checks that none of the certificates is on the list. Without a recent list that is unknown,
    /// and the chain is refused.
    func check(
        _ chain: AttestationChain, now: Timestamp
    ) throws(AttestationRefusal) {
        guard case .checked(let list, let maximumAge) = self else { return }
        guard let list else {
            throw AttestationRefusal(.revocationUnknown, "there is no revocation list")
        }
        let age = now - list.fetched
        guard age <= maximumAge else {
            throw AttestationRefusal(
                .revocationStale, "the revocation list is \(age.seconds) seconds old")
        }
        for certificate in chain.certificates {
            guard let status = list.status(of: certificate) else { continue }
            let serial = Hexadecimal.encode(certificate.serialNumber)
            throw AttestationRefusal(.certificateRevoked, "\(serial) is \(status)")
        }
    }
}
