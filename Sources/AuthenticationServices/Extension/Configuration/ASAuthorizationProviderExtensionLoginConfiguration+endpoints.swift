// SPDX-License-Identifier: Apache-2.0
import PlatformSSO

// Where the provider is.
extension ASAuthorizationProviderExtensionLoginConfiguration {
    /// `aud` of assertions and key requests; the token endpoint unless set.
    public var audience: String {
        get { shared[\.value.audience] }
        set { shared[\.value.audience] = newValue }
    }

    /// The URL of login requests.
    public var tokenEndpointURL: URL {
        get { Self.url(shared[\.value.tokenEndpointURL]) }
        set { shared[\.value.tokenEndpointURL] = newValue.absoluteString }
    }

    /// The URL of the provider's keys.
    public var jwksEndpointURL: URL {
        get { Self.url(shared[\.value.jwksEndpointURL]) }
        set { shared[\.value.jwksEndpointURL] = newValue.absoluteString }
    }

    /// The URL of nonces; the token endpoint by default.
    public var nonceEndpointURL: URL {
        get { Self.url(shared[\.value.nonceEndpointURL] ?? shared[\.value.tokenEndpointURL]) }
        set { shared[\.value.nonceEndpointURL] = newValue.absoluteString }
    }

    /// The URL of refresh requests; they are sent only if it is set.
    public var refreshEndpointURL: URL? {
        get { shared[\.value.refreshEndpointURL].flatMap { URL(string: $0) } }
        set { shared[\.value.refreshEndpointURL] = newValue?.absoluteString }
    }

    /// The key service of version 2.0; the token endpoint unless set.
    public var keyEndpointURL: URL? {
        get { shared[\.value.keyEndpointURL].flatMap { URL(string: $0) } }
        set { shared[\.value.keyEndpointURL] = newValue?.absoluteString }
    }

    /// The displayed name of the provider.
    public var accountDisplayName: String? {
        get { shared[\.value.accountDisplayName] }
        set { shared[\.value.accountDisplayName] = newValue }
    }

    /// Data that the extension stores with the configuration.
    public var deviceContext: Data? {
        get { shared[\.value.deviceContext].map { Data($0) } }
        set { shared[\.value.deviceContext] = newValue.map { Array($0) } }
    }
}
