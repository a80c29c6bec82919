// SPDX-License-Identifier: Apache-2.0
public import Foundation
package import PlatformSSO

/// What an extension tells the system about one person.
public final class ASAuthorizationProviderExtensionUserLoginConfiguration: NSObject, Sendable {
    private let shared: SharedValue<UserLoginConfiguration>

    /// - Parameter loginUserName: whom the person is at the provider.
    public convenience init(loginUserName: String) {
        self.init(UserLoginConfiguration(loginUserName: loginUserName))
    }

    package init(_ configuration: UserLoginConfiguration) {
        shared = SharedValue(configuration)
    }

    package var configuration: UserLoginConfiguration { shared.whole }

    /// Whom the person is at the provider.
    public var loginUserName: String {
        get { shared[\.loginUserName] }
        set { shared[\.loginUserName] = newValue }
    }

    /// Adds to the header of the assertion inside. Throws for what JSON cannot say.
    public func setCustomAssertionRequestHeaderClaims(_ claims: [String: Any]) throws {
        shared[\.customAssertionRequestClaims.header] = try JSONDictionary.object(claims)
    }

    /// Adds to the body of the assertion inside. Throws for what JSON cannot say.
    public func setCustomAssertionRequestBodyClaims(_ claims: [String: Any]) throws {
        shared[\.customAssertionRequestClaims.body] = try JSONDictionary.object(claims)
    }

    /// Adds to the header of the login request. Throws for what JSON cannot say.
    public func setCustomLoginRequestHeaderClaims(_ claims: [String: Any]) throws {
        shared[\.customLoginRequestClaims.header] = try JSONDictionary.object(claims)
    }

    /// Adds to the body of the login request. Throws for what JSON cannot say.
    public func setCustomLoginRequestBodyClaims(_ claims: [String: Any]) throws {
        shared[\.customLoginRequestClaims.body] = try JSONDictionary.object(claims)
    }
}
