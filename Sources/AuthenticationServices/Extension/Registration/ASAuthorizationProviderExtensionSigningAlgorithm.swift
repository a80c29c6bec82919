// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The signature algorithm of a device's or a person's key.
///
/// Apple has not published the raw values; these are specific to this package and never leave the
/// process.
public struct ASAuthorizationProviderExtensionSigningAlgorithm: RawRepresentable, Hashable,
    @unchecked Sendable
{
    // @unchecked: an `NSNumber` never changes.
    /// The number.
    public let rawValue: NSNumber

    /// - Parameter rawValue: the number.
    public init(rawValue: NSNumber) { self.rawValue = rawValue }

    /// - Parameter rawValue: the number.
    public init(_ rawValue: NSNumber) { self.rawValue = rawValue }

    /// ECDSA on P-256 with SHA-256.
    public static let es256 = Self(NSNumber(value: -7))
    /// ECDSA on P-384 with SHA-384.
    public static let es384 = Self(NSNumber(value: -35))
    /// Ed25519.
    public static let ed25519 = Self(NSNumber(value: -8))

    var name: String? {
        switch self {
        case .es256: "es256"
        case .es384: "es384"
        case .ed25519: "ed25519"
        default: nil
        }
    }
}
