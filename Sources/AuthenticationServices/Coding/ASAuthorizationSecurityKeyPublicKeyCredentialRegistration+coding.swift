// SPDX-License-Identifier: Apache-2.0
public import Foundation

extension ASAuthorizationSecurityKeyPublicKeyCredentialRegistration {
    /// Its archives are read safely: every value's class is named.
    public static var supportsSecureCoding: Bool { true }

    /// Writes it into an archive.
    public func encode(with coder: NSCoder) {
        ArchivedRegistration.write(self, transports: transports.map(\.rawValue), to: coder)
    }

    /// It never changes, so it is its own copy.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}

extension ASAuthorizationPlatformPublicKeyCredentialRegistration {
    /// Its archives are read safely: every value's class is named.
    public static var supportsSecureCoding: Bool { true }

    /// Writes it into an archive.
    public func encode(with coder: NSCoder) {
        ArchivedRegistration.write(self, transports: [], to: coder)
    }

    /// It never changes, so it is its own copy.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}
