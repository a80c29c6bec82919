// SPDX-License-Identifier: Apache-2.0
public import Foundation

extension ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor {
    /// Its archives are read safely: every value's class is named.
    public static var supportsSecureCoding: Bool { true }

    /// Writes it into an archive.
    public func encode(with coder: NSCoder) {
        coder.write(credentialID, .credentialID)
        coder.write(transports.map(\.rawValue), .transports)
    }

    /// Another one with the same content.
    public func copy(with zone: NSZone? = nil) -> Any {
        ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor(
            credentialID: credentialID, transports: transports)
    }
}

extension ASAuthorizationPlatformPublicKeyCredentialDescriptor {
    /// Its archives are read safely: every value's class is named.
    public static var supportsSecureCoding: Bool { true }

    /// Writes it into an archive.
    public func encode(with coder: NSCoder) {
        coder.write(credentialID, .credentialID)
    }

    /// Another one with the same content.
    public func copy(with zone: NSZone? = nil) -> Any {
        ASAuthorizationPlatformPublicKeyCredentialDescriptor(credentialID: credentialID)
    }
}

extension ASAuthorizationPublicKeyCredentialParameters {
    /// Its archives are read safely: every value's class is named.
    public static var supportsSecureCoding: Bool { true }

    /// Writes it into an archive.
    public func encode(with coder: NSCoder) {
        coder.encode(algorithm.rawValue, forKey: ArchiveKey.algorithm.rawValue)
    }

    /// It never changes, so it is its own copy.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}
