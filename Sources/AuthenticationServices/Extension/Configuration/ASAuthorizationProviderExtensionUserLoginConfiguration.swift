// SPDX-License-Identifier: Apache-2.0
public import Foundation
package import PlatformSSO

/// The configuration of one person that an extension passes to the system.
public final class ASAuthorizationProviderExtensionUserLoginConfiguration: NSObject, Sendable {
    private let shared: SharedValue<UserLoginConfiguration>

    /// - Parameter loginUserName: The person's username at the provider.
    public convenience init(loginUserName: String) {
        self.init(UserLoginConfiguration(loginUserName: loginUserName))
    }

    package init(_ configuration: UserLoginConfiguration) {
        shared = SharedValue(configuration)
    }

    package var configuration: UserLoginConfiguration { shared.whole }

    /// The person's username at the provider.
    public var loginUserName: String {
        get { shared[\.loginUserName] }
        set { shared[\.loginUserName] = newValue }
    }

    /// Adds claims to the header of the embedded assertion. Throws for values without a JSON form.
    public func setCustomAssertionRequestHeaderClaims(_ claims: [String: Any]) throws {
        shared[\.customAssertionRequestClaims.header] = try JSONDictionary.object(claims)
    }

    /// Adds claims to the body of the embedded assertion. Throws for values without a JSON form.
    public func setCustomAssertionRequestBodyClaims(_ claims: [String: Any]) throws {
        shared[\.customAssertionRequestClaims.body] = try JSONDictionary.object(claims)
    }

    /// Adds claims to the header of the login request. Throws for values without a JSON form.
    public func setCustomLoginRequestHeaderClaims(_ claims: [String: Any]) throws {
        shared[\.customLoginRequestClaims.header] = try JSONDictionary.object(claims)
    }

    /// Adds claims to the body of the login request. Throws for values without a JSON form.
    public func setCustomLoginRequestBodyClaims(_ claims: [String: Any]) throws {
        shared[\.customLoginRequestClaims.body] = try JSONDictionary.object(claims)
    }
}
