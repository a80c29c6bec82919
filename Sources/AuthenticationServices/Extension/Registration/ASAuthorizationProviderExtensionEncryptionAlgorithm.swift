// SPDX-License-Identifier: Apache-2.0
public import Foundation
import PlatformSSO

/// The encryption of responses to the device. Only ``ecdhe_A256GCM`` is supported here.
///
/// Apple has not published the raw values; these are specific to this package and never leave the
/// process.
public struct ASAuthorizationProviderExtensionEncryptionAlgorithm: RawRepresentable, Hashable,
    @unchecked Sendable
{
    // @unchecked: an `NSNumber` never changes.
    /// The number.
    public let rawValue: NSNumber

    /// - Parameter rawValue: the number.
    public init(rawValue: NSNumber) { self.rawValue = rawValue }

    /// - Parameter rawValue: the number.
    public init(_ rawValue: NSNumber) { self.rawValue = rawValue }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Agreement on P-256, Concat KDF with SHA-256, AES-256 in Galois/Counter Mode.
    public static let ecdhe_A256GCM = Self(NSNumber(value: 0))
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// HPKE on P-256 with SHA-256 and AES-256-GCM.
    public static let hpke_P256_SHA256_AES_GCM_256 = Self(NSNumber(value: 1))
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// HPKE on P-384 with SHA-384 and AES-256-GCM.
    public static let hpke_P384_SHA384_AES_GCM_256 = Self(NSNumber(value: 2))
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// HPKE on X25519 with SHA-256 and ChaCha20-Poly1305.
    public static let hpke_Curve25519_SHA256_ChachaPoly = Self(NSNumber(value: 3))

    private static let all: [(Self, EncryptionAlgorithm)] = [
        (.ecdhe_A256GCM, .ecdheA256GCM),
        (.hpke_P256_SHA256_AES_GCM_256, .hpkeP256SHA256AESGCM256),
        (.hpke_P384_SHA384_AES_GCM_256, .hpkeP384SHA384AESGCM256),
        (.hpke_Curve25519_SHA256_ChachaPoly, .hpkeCurve25519SHA256ChaChaPoly),
    ]

    init(_ algorithm: EncryptionAlgorithm) {
        self = Self.all.first { $0.1 == algorithm }?.0 ?? .ecdhe_A256GCM
    }

    var value: EncryptionAlgorithm? { Self.all.first { $0.0 == self }?.1 }
}
