// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Names a passkey of this machine.
public final class ASAuthorizationPlatformPublicKeyCredentialDescriptor: NSObject,
    ASAuthorizationPublicKeyCredentialDescriptor
{
    /// The identifier that it got at its registration.
    public var credentialID: Data

    /// - Parameter credentialID: the identifier that it got at its registration.
    public init(credentialID: Data) { self.credentialID = credentialID }

    /// From an archive.
    public init?(coder: NSCoder) {
        guard let id = coder.bytes(.credentialID) else { return nil }
        credentialID = id
    }
}
