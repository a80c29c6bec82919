// SPDX-License-Identifier: Apache-2.0
import JOSE
package import Primitives
package import WebAuthn

/// The certificates of Android's key attestation that no longer count (Android Developers,
/// "Verify hardware-backed key pairs with key attestation", certificate revocation status list):
/// `{"entries":{"SERIAL":{"status":"REVOKED"|"SUSPENDED","reason":…}}}`, serial numbers in
/// lower-case hexadecimal without leading zeros.
package struct RevocationStatusList: Sendable {
    /// When it was fetched; a copy that was kept counts from then.
    package let fetched: Timestamp
    private let statuses: [String: String]
    /// Entries whose name is no serial number, so that they concern no certificate. For the log.
    package let unreadable: [String]

    /// Google's list. It comes over TLS and is not signed.
    package static let address = "https://android.googleapis.com/attestation/status"
    /// The longest list that is read, in bytes.
    package static let maximumBytes = 8 << 20

    /// Refuses what is no list of entries. An entry that names no serial number is passed over, so that
    /// it does not keep the rest from counting; one that names a serial number revokes it, whatever else
    /// it says.
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

    /// The status of a certificate, or `nil` when the list does not name it. Whatever the status
    /// is called, a certificate that is named does not count.
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

/// Why bytes are no list.
package enum RevocationStatusListError: Error, Sendable, Equatable {
    case malformed(String)
}

extension AndroidKeyPolicy.Revocation {
    /// None of the certificates is on the list; without a fresh list that is not known, and what
    /// is not known is refused.
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
