// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// developer.apple.com/documentation/cryptokit. On Apple's systems swift-crypto is that framework
// under another name; here it is the other way round.
@_exported public import Crypto
public import Foundation
public import LocalAuthentication
public import Security

// documentation/cryptokit/secureenclave
public enum SecureEnclave {
    public static var isAvailable: Bool { false }

    public enum P256 {
        public enum Signing {}
        public enum KeyAgreement {}
    }
}

/// Nothing of it is here.
private struct Absent: Error {}

extension SecureEnclave.P256.Signing {
    // documentation/cryptokit/secureenclave/p256/signing/privatekey
    public struct PrivateKey {
        public let publicKey: Crypto.P256.Signing.PublicKey
        public let dataRepresentation: Data

        public init(
            compactRepresentable: Bool = true, accessControl: SecAccessControl = SecAccessControl(),
            authenticationContext: LAContext? = nil
        ) throws { throw Absent() }

        public init(
            dataRepresentation: Data, authenticationContext: LAContext? = nil
        ) throws { throw Absent() }

        public func signature<D: Digest>(
            for digest: D
        ) throws -> Crypto.P256.Signing.ECDSASignature { throw Absent() }

        public func signature<D: DataProtocol>(
            for data: D
        ) throws -> Crypto.P256.Signing.ECDSASignature { throw Absent() }
    }
}

extension SecureEnclave.P256.KeyAgreement {
    // documentation/cryptokit/secureenclave/p256/keyagreement/privatekey
    public struct PrivateKey {
        public let publicKey: Crypto.P256.KeyAgreement.PublicKey
        public let dataRepresentation: Data

        public init(
            compactRepresentable: Bool = true, accessControl: SecAccessControl = SecAccessControl(),
            authenticationContext: LAContext? = nil
        ) throws { throw Absent() }

        public init(
            dataRepresentation: Data, authenticationContext: LAContext? = nil
        ) throws { throw Absent() }

        public func sharedSecretFromKeyAgreement(
            with publicKeyShare: Crypto.P256.KeyAgreement.PublicKey
        ) throws -> SharedSecret { throw Absent() }
    }
}
