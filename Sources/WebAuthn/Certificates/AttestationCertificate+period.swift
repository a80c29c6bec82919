// SPDX-License-Identifier: Apache-2.0
import X509

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension AttestationCertificate {
    /// The validity period, in seconds since 1970.
    package var period: (from: Int64, to: Int64) {
        func seconds(_ time: Date) -> Int64 {
            Int64(exactly: time.timeIntervalSince1970.rounded(.down)) ?? .max
        }
        return (seconds(certificate.notValidBefore), seconds(certificate.notValidAfter))
    }
}
