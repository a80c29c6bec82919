// SPDX-License-Identifier: Apache-2.0
import PlatformSSO

// Refresh and key requests.
extension ASAuthorizationProviderExtensionLoginConfiguration {
    /// Added to the form of refresh requests.
    public var customRefreshRequestValues: [URLQueryItem] {
        get { Self.items(shared[\.value.customRefreshRequestValues]) }
        set { shared[\.value.customRefreshRequestValues] = Self.fields(newValue) }
    }

    /// Added to the form of key requests.
    public var customKeyRequestValues: [URLQueryItem] {
        get { Self.items(shared[\.value.customKeyRequestValues]) }
        set { shared[\.value.customKeyRequestValues] = Self.fields(newValue) }
    }

    /// Added to the form of key exchanges.
    public var customKeyExchangeRequestValues: [URLQueryItem] {
        get { Self.items(shared[\.value.customKeyExchangeRequestValues]) }
        set { shared[\.value.customKeyExchangeRequestValues] = Self.fields(newValue) }
    }

    /// Adds claims to the header of the embedded assertion. Throws for values without a JSON form.
    public func setCustomAssertionRequestHeaderClaims(_ claims: [String: Any]) throws {
        shared[\.value.customAssertionRequestClaims.header] = try JSONDictionary.object(claims)
    }

    /// Adds claims to the body of the embedded assertion. Throws for values without a JSON form.
    public func setCustomAssertionRequestBodyClaims(_ claims: [String: Any]) throws {
        shared[\.value.customAssertionRequestClaims.body] = try JSONDictionary.object(claims)
    }

    /// Adds claims to the header of login requests. Throws for values without a JSON form.
    public func setCustomLoginRequestHeaderClaims(_ claims: [String: Any]) throws {
        shared[\.value.customLoginRequestClaims.header] = try JSONDictionary.object(claims)
    }

    /// Adds claims to the body of login requests. Throws for values without a JSON form.
    public func setCustomLoginRequestBodyClaims(_ claims: [String: Any]) throws {
        shared[\.value.customLoginRequestClaims.body] = try JSONDictionary.object(claims)
    }

    /// Adds claims to the header of refresh requests. Throws for values without a JSON form.
    public func setCustomRefreshRequestHeaderClaims(_ claims: [String: Any]) throws {
        shared[\.value.customRefreshRequestClaims.header] = try JSONDictionary.object(claims)
    }

    /// Adds claims to the body of refresh requests. Throws for values without a JSON form.
    public func setCustomRefreshRequestBodyClaims(_ claims: [String: Any]) throws {
        shared[\.value.customRefreshRequestClaims.body] = try JSONDictionary.object(claims)
    }

    /// Adds claims to the header of key requests. Throws for values without a JSON form.
    public func setCustomKeyRequestHeaderClaims(_ claims: [String: Any]) throws {
        shared[\.value.customKeyRequestClaims.header] = try JSONDictionary.object(claims)
    }

    /// Adds claims to the body of key requests. Throws for values without a JSON form.
    public func setCustomKeyRequestBodyClaims(_ claims: [String: Any]) throws {
        shared[\.value.customKeyRequestClaims.body] = try JSONDictionary.object(claims)
    }

    /// Adds claims to the header of key exchanges. Throws for values without a JSON form.
    public func setCustomKeyExchangeRequestHeaderClaims(_ claims: [String: Any]) throws {
        shared[\.value.customKeyExchangeRequestClaims.header] = try JSONDictionary.object(claims)
    }

    /// Adds claims to the body of key exchanges. Throws for values without a JSON form.
    public func setCustomKeyExchangeRequestBodyClaims(_ claims: [String: Any]) throws {
        shared[\.value.customKeyExchangeRequestClaims.body] = try JSONDictionary.object(claims)
    }
}
