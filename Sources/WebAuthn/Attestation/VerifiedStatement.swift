// SPDX-License-Identifier: Apache-2.0
import SwiftASN1

/// The result of such a procedure. The trust in the path is evaluated later.
struct VerifiedStatement {
    let type: AttestationType
    /// The attestation certificate first; empty when there is none.
    let trustPath: [AttestationCertificate]
    /// Critical extensions of the attestation certificate that the procedure has verified.
    var verifiedExtensions: [ASN1ObjectIdentifier] = []
    /// Whether the path is of a key of Android's key store.
    var isAndroidKey = false
    /// The statements of a compound one that are correct, in its order; else empty.
    var parts: [VerifiedStatement] = []
}
