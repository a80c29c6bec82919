// SPDX-License-Identifier: Apache-2.0
import PlatformSSO

// Federation.
extension ASAuthorizationProviderExtensionLoginConfiguration {
    /// The audience of WS-Trust assertions.
    public var federationRequestURN: String? {
        get { shared[\.value.federationRequestURN] }
        set { shared[\.value.federationRequestURN] = newValue }
    }

    /// The metadata of a WS-Trust federation.
    public var federationMEXURL: URL? {
        get { shared[\.value.federationMEXURL].flatMap { URL(string: $0) } }
        set { shared[\.value.federationMEXURL] = newValue?.absoluteString }
    }

    /// The key path of the metadata URL in the preauthentication response.
    public var federationMEXURLKeypath: String? {
        get { shared[\.value.federationMEXURLKeypath] }
        set { shared[\.value.federationMEXURLKeypath] = newValue ?? "federation_metadata_url" }
    }

    /// The URL of the request whether the person is federated.
    public var federationUserPreauthenticationURL: URL? {
        get { shared[\.value.federationUserPreauthenticationURL].flatMap { URL(string: $0) } }
        set { shared[\.value.federationUserPreauthenticationURL] = newValue?.absoluteString }
    }

    /// Added to that question.
    public var customFederationUserPreauthenticationRequestValues: [URLQueryItem] {
        get { Self.items(shared[\.value.customFederationUserPreauthenticationRequestValues]) }
        set {
            shared[\.value.customFederationUserPreauthenticationRequestValues] = Self.fields(
                newValue)
        }
    }

    // Apple declares the next two as never nil, and has one of them left unset for the other.

    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// The page of a web login (macOS 27); `nil` until it is set.
    public var authorizationURL: URL! {
        get { shared[\.value.authorizationURL].flatMap { URL(string: $0) } }
        set { shared[\.value.authorizationURL] = newValue?.absoluteString }
    }

    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// The key path of that page in the discovery response (macOS 27); `nil` until it is set.
    public var authorizationURLKeypath: String! {
        get { shared[\.value.authorizationURLKeypath] }
        set { shared[\.value.authorizationURLKeypath] = newValue }
    }

    /// The sign-in of federated people.
    public enum FederationType: Int, Sendable {
        /// Not at all.
        case none = 0
        /// WS-Trust.
        case wsTrust = 1
        /// WS-Trust, if the provider states it for that person.
        case dynamicWSTrust = 2
        /// A web login (macOS 27). Apple has not published its number; this one is ours.
        case openID = 3
        /// A web login at a URL of the provider's response (macOS 27). The raw value is specific to
        /// this package.
        case dynamicOpenID = 4

        init(_ type: PlatformSSO.FederationType) {
            self =
                switch type {
                case .none: .none
                case .wsTrust: .wsTrust
                case .dynamicWSTrust: .dynamicWSTrust
                case .openID: .openID
                case .dynamicOpenID: .dynamicOpenID
                }
        }

        var value: PlatformSSO.FederationType {
            switch self {
            case .none: .none
            case .wsTrust: .wsTrust
            case .dynamicWSTrust: .dynamicWSTrust
            case .openID: .openID
            case .dynamicOpenID: .dynamicOpenID
            }
        }
    }

    /// The sign-in of federated people.
    public var federationType: FederationType {
        get { FederationType(shared[\.value.federationType]) }
        set { shared[\.value.federationType] = newValue.value }
    }

    /// The same where a web login cannot be (macOS 27).
    public var fallbackFederationType: FederationType {
        get { FederationType(shared[\.value.fallbackFederationType]) }
        set { shared[\.value.fallbackFederationType] = newValue.value }
    }

    /// A predicate over the preauthentication response: whether the person is federated. It is
    /// validated when the configuration is saved.
    public var federationPredicate: String? {
        get { shared[\.federationPredicate] }
        set { shared[\.federationPredicate] = newValue }
    }
}
