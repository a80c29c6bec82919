// SPDX-License-Identifier: Apache-2.0

/// The user verification methods: the flags of the FIDO Registry of Predefined Values 2.2, section
/// 3.1, one at a time.
package enum UserVerificationMethod: UInt32, Sendable, CaseIterable {
    case presenceInternal = 0x0000_0001
    case fingerprintInternal = 0x0000_0002
    case passcodeInternal = 0x0000_0004
    case voiceprintInternal = 0x0000_0008
    case faceprintInternal = 0x0000_0010
    case locationInternal = 0x0000_0020
    case eyeprintInternal = 0x0000_0040
    case patternInternal = 0x0000_0080
    case handprintInternal = 0x0000_0100
    case none = 0x0000_0200
    case all = 0x0000_0400
    case passcodeExternal = 0x0000_0800
    case patternExternal = 0x0000_1000

    /// The equivalent `amr` value (RFC 8176 section 2); `nil` if there is none. The registry does
    /// not distinguish iris from retina, so an eye has no value.
    package var referenceValue: String? {
        switch self {
        case .presenceInternal: "user"
        case .fingerprintInternal: "fpt"
        case .passcodeInternal, .patternInternal, .passcodeExternal, .patternExternal: "pin"
        case .voiceprintInternal: "vbm"
        case .faceprintInternal: "face"
        case .locationInternal: "geo"
        case .eyeprintInternal, .handprintInternal, .none, .all: nil
        }
    }
}
