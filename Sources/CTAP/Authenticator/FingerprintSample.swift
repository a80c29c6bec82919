// SPDX-License-Identifier: Apache-2.0

/// The status of one fingerprint sample (CTAP 2.1 section 6.7.4).
package enum FingerprintSample: UInt8, Sendable, CaseIterable {
    case good = 0x00
    case tooHigh = 0x01
    case tooLow = 0x02
    case tooLeft = 0x03
    case tooRight = 0x04
    case tooFast = 0x05
    case tooSlow = 0x06
    case poorQuality = 0x07
    case tooSkewed = 0x08
    case tooShort = 0x09
    case mergeFailure = 0x0A
    case alreadyExists = 0x0B
    case noUserActivity = 0x0D
    case noUserPresenceTransition = 0x0E
}
