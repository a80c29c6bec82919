// SPDX-License-Identifier: Apache-2.0
/// The attachment of an authenticator.
public enum ASAuthorizationPublicKeyCredentialAttachment: Int, Sendable {
    /// In this machine.
    case platform = 0
    /// In another device.
    case crossPlatform = 1
}
