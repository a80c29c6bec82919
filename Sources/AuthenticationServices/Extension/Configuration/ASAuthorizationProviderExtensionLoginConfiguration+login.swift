// SPDX-License-Identifier: Apache-2.0
import PlatformSSO

// Login requests.
extension ASAuthorizationProviderExtensionLoginConfiguration {
    /// Added to `openid offline_access`; `urn:apple:platformsso` unless set.
    public var additionalScopes: String {
        get { shared[\.value.additionalScopes] }
        set { shared[\.value.additionalScopes] = newValue }
    }

    /// Added if the request belongs to an authorization prompt.
    public var additionalAuthorizationScopes: String? {
        get { shared[\.value.additionalAuthorizationScopes] }
        set { shared[\.value.additionalAuthorizationScopes] = newValue }
    }

    /// Whether the request contains the previous refresh token.
    public var includePreviousRefreshTokenInLoginRequest: Bool {
        get { shared[\.value.includePreviousRefreshTokenInLoginRequest] }
        set { shared[\.value.includePreviousRefreshTokenInLoginRequest] = newValue }
    }

    /// The claim that carries it. Apple states no default; here it is
    /// `previous_refresh_token`.
    public var previousRefreshTokenClaimName: String {
        get { shared[\.value.previousRefreshTokenClaimName] }
        set { shared[\.value.previousRefreshTokenClaimName] = newValue }
    }

    /// Added to the form of login requests.
    public var customLoginRequestValues: [URLQueryItem] {
        get { Self.items(shared[\.value.customLoginRequestValues]) }
        set { shared[\.value.customLoginRequestValues] = Self.fields(newValue) }
    }

    /// The field of the form that carries the request; `assertion` unless set.
    public var customRequestJWTParameterName: String? {
        get { shared[\.value.customRequestJWTParameterName] }
        set { shared[\.value.customRequestJWTParameterName] = newValue ?? "assertion" }
    }

    /// The claim that names the person; `sub` unless set.
    public var uniqueIdentifierClaimName: String? {
        get { shared[\.value.uniqueIdentifierClaimName] }
        set { shared[\.value.uniqueIdentifierClaimName] = newValue ?? "sub" }
    }

    /// The path of the requested groups; `claims.id_token.groups.values` by default.
    public var groupRequestClaimName: String? {
        get { shared[\.value.groupRequestClaimName] }
        set { shared[\.value.groupRequestClaimName] = newValue }
    }

    /// The claim with the groups in the response; `groups` by default.
    public var groupResponseClaimName: String? {
        get { shared[\.value.groupResponseClaimName] }
        set { shared[\.value.groupResponseClaimName] = newValue }
    }

    /// Whether every request names its purpose (macOS 27).
    public var includePlatformSSOAuthorizationScopes: Bool {
        get { shared[\.value.includePlatformSSOAuthorizationScopes] }
        set { shared[\.value.includePlatformSSOAuthorizationScopes] = newValue }
    }

    /// The locations of Kerberos tickets in login responses. Mappings without all of their names
    /// are ignored.
    public var kerberosTicketMappings: [ASAuthorizationProviderExtensionKerberosMapping] {
        get {
            shared[\.value.kerberosTicketMappings].map {
                ASAuthorizationProviderExtensionKerberosMapping($0)
            }
        }
        set { shared[\.value.kerberosTicketMappings] = newValue.compactMap(\.mapping) }
    }

    /// A predicate over the body of a 400 or 401: whether the person's credential was wrong. By
    /// default 401 decides. It is validated when the configuration is saved.
    public var invalidCredentialPredicate: String? {
        get { shared[\.invalidCredentialPredicate] }
        set { shared[\.invalidCredentialPredicate] = newValue }
    }
}
