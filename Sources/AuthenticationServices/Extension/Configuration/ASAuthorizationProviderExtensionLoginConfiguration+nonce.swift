// SPDX-License-Identifier: Apache-2.0
import PlatformSSO

// The server's nonce.
extension ASAuthorizationProviderExtensionLoginConfiguration {
    /// The key path of the nonce in the response; `Nonce` by default.
    public var nonceResponseKeypath: String {
        get { shared[\.value.nonceResponseKeypath] }
        set { shared[\.value.nonceResponseKeypath] = newValue }
    }

    /// The claim that carries it; `request_nonce` unless set.
    public var serverNonceClaimName: String {
        get { shared[\.value.serverNonceClaimName] }
        set { shared[\.value.serverNonceClaimName] = newValue }
    }

    /// Added to the form of the request.
    public var customNonceRequestValues: [URLQueryItem] {
        get { Self.items(shared[\.value.customNonceRequestValues]) }
        set { shared[\.value.customNonceRequestValues] = Self.fields(newValue) }
    }
}
