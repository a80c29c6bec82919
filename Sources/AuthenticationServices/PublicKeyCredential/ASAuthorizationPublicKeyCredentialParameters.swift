// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A kind of credential that the relying party accepts.
public final class ASAuthorizationPublicKeyCredentialParameters: NSObject, NSCopying,
    NSSecureCoding, Sendable
{
    /// The algorithm of its signatures.
    public let algorithm: ASCOSEAlgorithmIdentifier

    /// - Parameter algorithm: the algorithm of its signatures.
    public init(algorithm: ASCOSEAlgorithmIdentifier) { self.algorithm = algorithm }

    /// From an archive.
    public init?(coder: NSCoder) {
        guard coder.containsValue(forKey: ArchiveKey.algorithm.rawValue) else { return nil }
        algorithm = .init(rawValue: coder.decodeInteger(forKey: ArchiveKey.algorithm.rawValue))
    }
}
