// SPDX-License-Identifier: Apache-2.0
public import Foundation

extension ASAuthorizationSecurityKeyPublicKeyCredentialAssertion {
    /// Its archives are read safely: every value's class is named.
    public static var supportsSecureCoding: Bool { true }

    /// Writes it into an archive.
    public func encode(with coder: NSCoder) {
        ArchivedAssertion.write(self, appID: appID, to: coder)
    }

    /// It never changes, so it is its own copy.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}

extension ASAuthorizationPlatformPublicKeyCredentialAssertion {
    /// Its archives are read safely: every value's class is named.
    public static var supportsSecureCoding: Bool { true }

    /// Writes it into an archive.
    public func encode(with coder: NSCoder) {
        ArchivedAssertion.write(self, appID: false, to: coder)
    }

    /// It never changes, so it is its own copy.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}
