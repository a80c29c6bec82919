// SPDX-License-Identifier: Apache-2.0
import CBOR
import X509

/// Reads `x5c`: the attestation certificate first, then what certifies it, in order.
enum CertificatePath {
    /// The maximum length of an attestation's path.
    static let maximumCertificates = 8

    /// Reads a path.
    ///
    /// - Parameter mayEndInRoot: Whether the last certificate may be self-issued. It is not part of
    ///   the result: a root is trusted because the relying party has it, not because the message
    ///   contains it.
    static func read(
        _ value: CBORValue?, mayEndInRoot: Bool = false
    ) throws(StatementRefusal) -> [AttestationCertificate] {
        guard let items = value?.items else {
            throw StatementRefusal(.attestationStatementMalformed, "x5c is not an array")
        }
        var certificates: [[UInt8]] = []
        for item in items {
            guard let bytes = item.byteString else {
                throw StatementRefusal(
                    .attestationStatementMalformed, "x5c does not contain a byte string")
            }
            certificates.append(Array(bytes))
        }
        return try read(certificates, mayEndInRoot: mayEndInRoot)
    }

    static func read(
        _ certificates: [[UInt8]], mayEndInRoot: Bool
    ) throws(StatementRefusal) -> [AttestationCertificate] {
        guard !certificates.isEmpty else {
            throw StatementRefusal(.attestationStatementMalformed, "x5c is empty")
        }
        guard certificates.count <= maximumCertificates else {
            throw StatementRefusal(.attestationStatementMalformed, "x5c is too long")
        }
        var path: [AttestationCertificate] = []
        for der in certificates { path.append(try certificate(der)) }
        if mayEndInRoot, path.count > 1, let last = path.last, last.isSelfIssued {
            path.removeLast()
        }
        try checkOrder(path)
        return path
    }

    private static func certificate(
        _ der: [UInt8]
    ) throws(StatementRefusal) -> AttestationCertificate {
        guard der.count <= AttestationCertificate.maximumBytes else {
            throw StatementRefusal(.attestationStatementMalformed, "a certificate is too long")
        }
        do {
            return try AttestationCertificate(der: der)
        } catch {
            throw StatementRefusal(.attestationCertificateInvalid, "not a certificate: \(error)")
        }
    }

    /// Checks that each certificate is issued by the next, that none is a root and that none occurs
    /// twice.
    private static func checkOrder(
        _ path: [AttestationCertificate]
    ) throws(StatementRefusal) {
        for (subject, issuer) in zip(path, path.dropFirst()) {
            guard subject.certificate.issuer == issuer.certificate.subject else {
                throw StatementRefusal(.attestationCertificateInvalid, "x5c is out of order")
            }
            guard !issuer.isSelfIssued else {
                throw StatementRefusal(.attestationCertificateInvalid, "x5c contains a root")
            }
        }
        guard Set(path.map(\.der)).count == path.count else {
            throw StatementRefusal(
                .attestationCertificateInvalid, "x5c contains a certificate twice")
        }
    }
}
