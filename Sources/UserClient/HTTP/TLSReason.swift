// SPDX-License-Identifier: Apache-2.0

/// The reason of a TLS error, extracted from BoringSSL's text without the location in its source.
package enum TLSReason {
    /// `error:1000007d:SSL routines:OPENSSL_internal:WRONG_VERSION_NUMBER at …/tls_record.cc:215` →
    /// `WRONG_VERSION_NUMBER`.
    package static func words(in text: String) -> String {
        var reasons: [Substring] = []
        for part in text.split(separator: "OPENSSL_internal:").dropFirst() {
            let reason = part.prefix { $0.isUppercase || $0.isNumber || $0 == "_" }
            if !reason.isEmpty, !reasons.contains(reason) { reasons.append(reason) }
        }
        return reasons.isEmpty ? "the handshake failed" : reasons.joined(separator: ", ")
    }
}
