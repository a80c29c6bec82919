// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Names a credential.
public protocol ASAuthorizationPublicKeyCredentialDescriptor: NSObjectProtocol, NSCopying,
    NSSecureCoding
{
    /// The identifier that it got at its registration.
    var credentialID: Data { get set }
}
