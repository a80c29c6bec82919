// SPDX-License-Identifier: Apache-2.0
/// An algorithm of COSE (IANA "COSE Algorithms").
public struct ASCOSEAlgorithmIdentifier: RawRepresentable, Hashable, Sendable {
    /// The number in the registry.
    public let rawValue: Int

    /// - Parameter rawValue: the number in the registry.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// - Parameter rawValue: the number in the registry.
    public init(_ rawValue: Int) { self.rawValue = rawValue }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// ECDSA with SHA-256.
    public static let ES256 = Self(-7)
}

/// A curve of COSE (IANA "COSE Elliptic Curves").
public struct ASCOSEEllipticCurveIdentifier: RawRepresentable, Hashable, Sendable {
    /// The number in the registry.
    public let rawValue: Int

    /// - Parameter rawValue: the number in the registry.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// - Parameter rawValue: the number in the registry.
    public init(_ rawValue: Int) { self.rawValue = rawValue }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// NIST P-256.
    public static let P256 = Self(1)
}
