// SPDX-License-Identifier: Apache-2.0

/// Options of a registration or sign-in.
///
/// ``scopes`` applies to all ways. The other options are parameters of a page of the provider
/// (OpenID Connect Core 1.0 section 3.1.2.1): without a page they have no effect.
public struct SignInOptions: Sendable, Hashable {
    /// The scopes of the tokens; with `nil` those of the configuration.
    public var scopes: [String]?
    /// `login` requires a new sign-in, `select_account` the choice of an account.
    public var prompt: String?
    /// The username or email address that the page displays.
    public var loginHint: String?
    /// The requested authentication context classes, preferred first: `phr` for a key that cannot
    /// be phished. The page requests an additional authentication if necessary.
    public var acrValues: [String]
    /// The maximum number of seconds since the person authenticated. A registration uses at most
    /// 300.
    public var maxAge: Int64?
    /// The languages of the page, preferred first (RFC 5646).
    public var uiLocales: [String]
    /// The identifier of an upstream provider (``IdentityProvider/Kind-swift.enum/upstream``), to
    /// which the browser is redirected at once.
    public var identityProvider: IdentityProvider.ID?

    /// Creates options. All have defaults.
    public init(
        scopes: [String]? = nil, prompt: String? = nil, loginHint: String? = nil,
        acrValues: [String] = [], maxAge: Int64? = nil, uiLocales: [String] = [],
        identityProvider: IdentityProvider.ID? = nil
    ) {
        self.scopes = scopes
        self.prompt = prompt
        self.loginHint = loginHint
        self.acrValues = acrValues
        self.maxAge = maxAge
        self.uiLocales = uiLocales
        self.identityProvider = identityProvider
    }

    /// The parameters of the authorization request.
    var parameters: [String: String] {
        var parameters: [String: String] = [:]
        parameters["prompt"] = prompt
        parameters["login_hint"] = loginHint
        parameters["acr_values"] = acrValues.isEmpty ? nil : acrValues.joined(separator: " ")
        parameters["max_age"] = maxAge.map { String($0) }
        parameters["ui_locales"] = uiLocales.isEmpty ? nil : uiLocales.joined(separator: " ")
        parameters["identity_provider"] = identityProvider
        return parameters
    }
}
