// SPDX-License-Identifier: Apache-2.0
import Primitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Timestamp {
    /// The moment at which certificates are validated, or `nil` outside the years 1970 to 9999.
    /// X.509 has no time outside them, and the comparing library would trap.
    var validationDate: Date? {
        guard 0...253_402_300_799 ~= seconds else { return nil }
        return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
}
