// SPDX-License-Identifier: Apache-2.0
import PlatformSSO
import Primitives

// Encryption and trust.
extension ASAuthorizationProviderExtensionLoginConfiguration {
    /// With it no password is sent in clear text.
    public var loginRequestEncryptionPublicKey: SecKey? {
        get { shared[\.value.loginRequestEncryptionPublicKey].map { SecKey($0) } }
        set { shared[\.value.loginRequestEncryptionPublicKey] = newValue?.publicKey }
    }

    /// The first field of `apv` in an encrypted password.
    public var loginRequestEncryptionAPVPrefix: Data? {
        get { shared[\.value.loginRequestEncryptionAPVPrefix].map { Data($0) } }
        set { shared[\.value.loginRequestEncryptionAPVPrefix] = newValue.map { Array($0) } }
    }

    /// For HPKE, which is not spoken here.
    public var loginRequestHPKEPreSharedKey: Data? {
        get { shared[\.value.loginRequestHPKEPreSharedKey].map { Data($0.reveal()) } }
        set { shared[\.value.loginRequestHPKEPreSharedKey] = newValue.map { Secret($0) } }
    }

    /// For HPKE, which is not spoken here.
    public var loginRequestHPKEPreSharedKeyID: Data? {
        get { shared[\.value.loginRequestHPKEPreSharedKeyID].map { Data($0) } }
        set { shared[\.value.loginRequestHPKEPreSharedKeyID] = newValue.map { Array($0) } }
    }

    /// For HPKE, which is not spoken here.
    public var hpkePreSharedKey: Data? {
        get { shared[\.value.hpkePreSharedKey].map { Data($0.reveal()) } }
        set { shared[\.value.hpkePreSharedKey] = newValue.map { Secret($0) } }
    }

    /// For HPKE, which is not spoken here.
    public var hpkePreSharedKeyID: Data? {
        get { shared[\.value.hpkePreSharedKeyID].map { Data($0) } }
        set { shared[\.value.hpkePreSharedKeyID] = newValue.map { Array($0) } }
    }

    /// For HPKE, which is not spoken here.
    public var hpkeAuthPublicKey: SecKey? {
        get { shared[\.value.hpkeAuthPublicKey].map { SecKey($0) } }
        set { shared[\.value.hpkeAuthPublicKey] = newValue?.publicKey }
    }

    /// Roots to which every key of the provider must lead; none unless set.
    public var jwksTrustedRootCertificates: [SecCertificate] {
        get { shared[\.value.jwksTrustedRootCertificates].map { SecCertificate($0) } }
        set { shared[\.value.jwksTrustedRootCertificates] = newValue.map(\.der) }
    }

    /// The encryption of passwords, validated when the configuration is saved.
    public var loginRequestEncryptionAlgorithm: ASAuthorizationProviderExtensionEncryptionAlgorithm
    {
        get { .init(shared[\.value.loginRequestEncryptionAlgorithm]) }
        set {
            if let value = newValue.value {
                shared[\.value.loginRequestEncryptionAlgorithm] = value
            }
        }
    }

    /// The user verification that a person's key requires before it signs.
    public struct UserSecureEnclaveKeyBiometricPolicy: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt

        /// - Parameter rawValue: the bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// A finger or a watch that was known when the key was made.
        public static let touchIDOrWatchCurrentSet = Self(rawValue: 1)
        /// Any finger or watch.
        public static let touchIDOrWatchAny = Self(rawValue: 2)
        /// The verification of an unlock is accepted.
        public static let reuseDuringUnlock = Self(rawValue: 4)
        /// A password instead.
        public static let passwordFallback = Self(rawValue: 8)
    }

    /// The user verification that a person's key requires before it signs; none by default.
    public var userSecureEnclaveKeyBiometricPolicy: UserSecureEnclaveKeyBiometricPolicy {
        get { .init(rawValue: shared[\.value.userSecureEnclaveKeyBiometricPolicy].rawValue) }
        set {
            shared[\.value.userSecureEnclaveKeyBiometricPolicy] = .init(rawValue: newValue.rawValue)
        }
    }
}
