// SPDX-License-Identifier: Apache-2.0
import Primitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Timestamp {
    /// The moment at which certificates are judged, or `nil` outside the years 1970 to 9999: there
    /// X.509 has no time to compare with, and the library that compares would trap.
    var validationDate: Date? {
        guard 0...253_402_300_799 ~= seconds else { return nil }
        return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
}
