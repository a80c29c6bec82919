// SPDX-License-Identifier: Apache-2.0
/// Which version of Platform SSO the extension and its provider speak.
public enum ASAuthorizationProviderExtensionPlatformSSOProtocolVersion: Int, Sendable {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Login and refresh.
    case version1_0 = 0
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The same with the key service.
    case version2_0 = 1
}
