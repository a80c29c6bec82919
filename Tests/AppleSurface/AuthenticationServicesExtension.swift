// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// The extension's side: developer.apple.com/documentation/authenticationservices/platform-sso and
// …/asauthorizationproviderextensionauthorizationrequesthandler. Of a method that Objective-C has
// once and Swift twice, this file declares the `async` form.
public import Foundation
public import Security

// MARK: Registration

/// No actor's: the page of the protocol names none.
public protocol ASAuthorizationProviderExtensionRegistrationHandler: NSObjectProtocol {
    func beginDeviceRegistration(
        loginManager: ASAuthorizationProviderExtensionLoginManager,
        options: ASAuthorizationProviderExtensionRequestOptions
    ) async -> ASAuthorizationProviderExtensionRegistrationResult

    func beginUserRegistration(
        loginManager: ASAuthorizationProviderExtensionLoginManager, userName: String?,
        method: ASAuthorizationProviderExtensionAuthenticationMethod,
        options: ASAuthorizationProviderExtensionRequestOptions
    ) async -> ASAuthorizationProviderExtensionRegistrationResult

    // Both are optional there.
    func protocolVersion() -> ASAuthorizationProviderExtensionPlatformSSOProtocolVersion
    func supportedGrantTypes() -> ASAuthorizationProviderExtensionSupportedGrantTypes
}

public enum ASAuthorizationProviderExtensionRegistrationResult: Int, Sendable {
    case success = 0, failed, userInterfaceRequired, failedNoRetry
}

public enum ASAuthorizationProviderExtensionAuthenticationMethod: Int, Sendable {
    case password = 1, userSecureEnclaveKey, smartCard
}

public enum ASAuthorizationProviderExtensionPlatformSSOProtocolVersion: Int, Sendable {
    case version1_0 = 0, version2_0
}

public enum ASAuthorizationProviderExtensionKeyType: Int, Sendable {
    case userDeviceSigning = 1, userDeviceEncryption, userSecureEnclaveKey, sharedDeviceSigning
    case sharedDeviceEncryption
    case currentDeviceSigning = 10, currentDeviceEncryption
    case userSmartCard = 20
}

public struct ASAuthorizationProviderExtensionRequestOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let userInteractionEnabled = Self(rawValue: 1)
    public static let registrationSharedDeviceKeys = Self(rawValue: 4)
}

public struct ASAuthorizationProviderExtensionSupportedGrantTypes: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let password = Self(rawValue: 1)
    public static let jwtBearer = Self(rawValue: 2)
}

// MARK: What the system gives

/// Not `Sendable`: its page does not say so.
open class ASAuthorizationProviderExtensionLoginManager: NSObject {
    open var registrationToken: String? { nil }
    open var extensionData: [AnyHashable: Any] { [:] }
    open var ssoTokens: [AnyHashable: Any]?

    open func key(for keyType: ASAuthorizationProviderExtensionKeyType) -> SecKey? { nil }

    open func saveLoginConfiguration(
        _ loginConfiguration: ASAuthorizationProviderExtensionLoginConfiguration
    ) throws {}

    open func saveUserLoginConfiguration(
        _ userLoginConfiguration: ASAuthorizationProviderExtensionUserLoginConfiguration
    ) throws {}
}

open class ASAuthorizationProviderExtensionLoginConfiguration: NSObject {
    public init(
        clientID: String, issuer: String, tokenEndpointURL: URL, jwksEndpointURL: URL,
        audience: String?
    ) { nonceEndpointURL = tokenEndpointURL }

    open var nonceEndpointURL: URL
    open var nonceResponseKeypath = "Nonce"
    open var refreshEndpointURL: URL?
    open var keyEndpointURL: URL?
    open var accountDisplayName: String?
    open var invalidCredentialPredicate: String?

    open func setCustomLoginRequestBodyClaims(_ claims: [String: Any]) throws {}
}

open class ASAuthorizationProviderExtensionUserLoginConfiguration: NSObject {
    public init(loginUserName: String) {}
}

// MARK: Requests of apps

@MainActor
public protocol ASAuthorizationProviderExtensionAuthorizationRequestHandler: NSObjectProtocol {
    func beginAuthorization(with request: ASAuthorizationProviderExtensionAuthorizationRequest)
}

open class ASAuthorizationProviderExtensionAuthorizationRequest: NSObject {
    open func doNotHandle() {}
}
