// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives
import X509

/// The output of `gatehouse inspect metadata` for a metadata BLOB: its signer, dates, entries and
/// errors.
///
/// The result is that of ``MetadataBlobVerifier``. The entries of a refused BLOB are also
/// displayed, marked as not verified.
package struct MetadataInspection: Sendable {
    /// The provider's verifier; `nil` if no root was given, so that nothing is trusted.
    private let verifier: MetadataBlobVerifier?
    private let now: Timestamp
    /// The provider's policy for the models.
    private let policy: MetadataStatusPolicy

    package init(
        _ verifier: MetadataBlobVerifier?, now: Timestamp,
        policy: MetadataStatusPolicy = MetadataStatusPolicy()
    ) {
        self.verifier = verifier
        self.now = now
        self.policy = policy
    }

    /// `{"verdict","code","reason","value"}`.
    package func verdict(on bytes: [UInt8]) async -> JSONValue {
        do throws(MetadataRefusal) {
            let blob = try await verified(bytes)
            return Self.verdict(nil, value: value(of: blob, in: bytes, isVerified: true))
        } catch {
            guard let payload = try? MetadataBlobVerifier.parse(bytes).payload,
                let blob = try? MetadataBlob(payload: payload)
            else { return Self.verdict(error, value: JSONObject()) }
            return Self.verdict(error, value: value(of: blob, in: bytes, isVerified: false))
        }
    }

    private func verified(_ bytes: [UInt8]) async throws(MetadataRefusal) -> MetadataBlob {
        guard let verifier else {
            _ = try MetadataBlobVerifier.parse(bytes)
            throw MetadataRefusal(
                .chainUntrusted,
                "there is no trust anchor: --root sets the root certificates of the signer")
        }
        return try await verifier.verify(bytes, now: now)
    }

    private static func verdict(_ refusal: MetadataRefusal?, value: JSONObject) -> JSONValue {
        [
            "verdict": .string(refusal == nil ? "accepted" : "refused"),
            "code": .string(refusal?.code.rawValue ?? "ok"),
            "reason": .string(refusal?.reason ?? ""), "value": .object(value),
        ]
    }

    // MARK: The BLOB

    private func value(of blob: MetadataBlob, in bytes: [UInt8], isVerified: Bool) -> JSONObject {
        let path = certificates(of: bytes)
        var value = JSONObject()
        value["verified"] = .bool(isVerified)
        value["number"] = .integer(blob.number)
        // The BLOB contains a day; the stored value is the end of that day.
        value["nextUpdate"] = .string(String((blob.nextUpdate - .days(1)).rfc3339.prefix(10)))
        value["signer"] = .array(
            path.first.map { MetadataChain.names(of: $0.certificate) }?.map { .string($0) } ?? [])
        value["certificates"] = .array(path.map { Self.shown($0) })
        value["revocation"] = .string(revocationNote(isVerified: isVerified))
        value["warnings"] = .array(warnings(on: blob, path).map { .string($0) })
        value["entries"] = .array(entries(of: blob))
        return value
    }

    private func certificates(of bytes: [UInt8]) -> [AttestationCertificate] {
        let header = try? MetadataBlobVerifier.parse(bytes).header
        let texts = header?.members["x5c"]?.strings ?? []
        return texts.prefix(MetadataBlobVerifier.maximumCertificates).compactMap {
            try? MetadataBlobVerifier.certificate($0)
        }
    }

    private static func shown(_ certificate: AttestationCertificate) -> JSONValue {
        let period = certificate.period
        return [
            "subject": .string("\(certificate.certificate.subject)"),
            "issuer": .string("\(certificate.certificate.issuer)"),
            "serial": .string(certificate.serialText),
            "notBefore": .string(Timestamp(seconds: period.from).rfc3339),
            "notAfter": .string(Timestamp(seconds: period.to).rfc3339),
        ]
    }

    private func revocationNote(isVerified: Bool) -> String {
        guard isVerified, let revocation = verifier?.revocation else { return "not checked" }
        return revocation.hasLists
            ? "no revocation list that was given names a certificate of the chain"
            : "not checked: no revocation list was given (--crl)"
    }

    private func warnings(on blob: MetadataBlob, _ path: [AttestationCertificate]) -> [String] {
        var warnings: [String] = []
        if now > blob.nextUpdate { warnings.append("the next BLOB is overdue") }
        if path.contains(where: { Timestamp(seconds: $0.period.to) < blob.nextUpdate }) {
            warnings.append("a certificate of the chain expires before the next BLOB is due")
        }
        if blob.entries.isEmpty { warnings.append("there is no entry") }
        return warnings
    }

    // MARK: Entries

    private func entries(of blob: MetadataBlob) -> [JSONValue] {
        let snapshot = MetadataStore(blob).snapshot(at: now, policy: policy)
        var counts: [AuthenticatorModel: Int] = [:]
        for model in blob.entries.flatMap(\.models) { counts[model, default: 0] += 1 }
        return blob.entries.map { entry in
            let isRepeated = entry.models.contains { counts[$0, default: 0] > 1 }
            return MetadataEntryInspection(entry, snapshot, isRepeated: isRepeated).value
        }
    }
}
