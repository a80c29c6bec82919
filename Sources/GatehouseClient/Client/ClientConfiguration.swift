// SPDX-License-Identifier: Apache-2.0
import UserClient

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Which provider an app belongs to, and how it is known there.
///
/// As JSON, with the same names:
///
/// ```json
/// {"issuer": "https://login.example.com", "client_id": "notes"}
/// ```
///
/// Everything else is found at the issuer.
public struct ClientConfiguration: Sendable, Hashable {
    /// The issuer identifier of the project, exactly as published, without a trailing slash.
    public var issuer: String
    /// The public client that the app is.
    public var clientID: String
    /// The scopes that each sign-in requests. With ``registrationScope`` an installation can remove
    /// itself and a person can delete their account: use it in first-party apps only.
    public var scopes: [String]
    /// The redirect URI that the system routes to the app: a claimed `https` URL or a custom
    /// scheme. ``LoopbackPresenter`` has its own.
    public var redirectURI: String?
    /// The display name of this installation: "Notes on Anna's phone". People see it in their list
    /// of devices. At most 128 bytes.
    public var installationName: String
    /// The app's identity for the project's version policy; with `nil` it is not sent.
    public var application: ApplicationIdentity?
    /// Whether people choose a PIN if the project leaves that to the app (`pin.use: optional`).
    public var usesPIN: Bool
    /// Authorities in PEM; see ``NetworkTransport``.
    public var pinnedCertificates: [String]
    /// A proxy between this machine and the provider; `nil` for none.
    public var proxy: NetworkTransport.Proxy?
    /// Seconds for one exchange with the provider. Another process of the same store that keeps a
    /// session to itself is waited for three times as long.
    public var timeoutSeconds: Int64
    /// Seconds for which what the provider says of itself is not asked again. Beyond that it is
    /// still used while the provider cannot be reached.
    public var refreshesConfigurationAfterSeconds: Int64

    /// The scope that lets an app manage its own registration.
    public static let registrationScope = "registration"
    /// The scopes for the person's identity, for refresh tokens, and for managing the registration.
    public static let usualScopes = ["openid", "profile", "offline_access", registrationScope]

    /// Creates a configuration. All optional values have defaults.
    public init(
        issuer: String, clientID: String, scopes: [String] = usualScopes,
        redirectURI: String? = nil, installationName: String = "",
        application: ApplicationIdentity? = nil, usesPIN: Bool = true,
        pinnedCertificates: [String] = [], proxy: NetworkTransport.Proxy? = nil,
        timeoutSeconds: Int64 = 30, refreshesConfigurationAfterSeconds: Int64 = 300
    ) {
        self.issuer = issuer
        self.clientID = clientID
        self.scopes = scopes
        self.redirectURI = redirectURI
        self.installationName = installationName
        self.application = application
        self.usesPIN = usesPIN
        self.pinnedCertificates = pinnedCertificates
        self.proxy = proxy
        self.timeoutSeconds = timeoutSeconds
        self.refreshesConfigurationAfterSeconds = refreshesConfigurationAfterSeconds
    }

    /// Reads what the console exports.
    ///
    /// - Throws: ``IdentityError/Code/configurationInvalid``, and says where.
    public init(json: Data) throws {
        do {
            self = try JSONDecoder().decode(ClientConfiguration.self, from: json)
        } catch {
            throw IdentityError(
                .generic, .configurationInvalid, "the configuration cannot be read: \(error)",
                underlying: error)
        }
        try validate()
    }

    /// - Throws: ``IdentityError/Code/configurationInvalid`` when nothing could be done with it.
    public func validate() throws {
        func refuse(_ reason: String) -> IdentityError {
            IdentityError(.generic, .configurationInvalid, reason)
        }
        guard ProviderEndpoints.isProtected(issuer), !issuer.hasSuffix("/") else {
            throw refuse("issuer must be https (or http on this device), without a trailing slash")
        }
        guard !clientID.isEmpty else { throw refuse("client_id is empty") }
        guard installationName.utf8.count <= 128 else {
            throw refuse("installation_name is longer than 128 bytes")
        }
        guard application == nil || application?.field != nil else {
            throw refuse(
                "application needs an identifier of 1 to 128 of A-Z a-z 0-9 . _ -, and a version such as 1.2.3"
            )
        }
        guard !scopes.contains(where: { $0.isEmpty || $0.contains(" ") }) else {
            throw refuse("a scope is empty or contains a space")
        }
        guard (1...600).contains(timeoutSeconds) else {
            throw refuse("timeout_seconds must be 1 to 600")
        }
        guard proxy?.isPossible != false else { throw refuse(NetworkTransport.Proxy.wanted) }
    }
}

extension ClientConfiguration: Codable {
    private enum CodingKeys: String, CodingKey {
        case issuer
        case clientID = "client_id"
        case scopes
        case redirectURI = "redirect_uri"
        case installationName = "installation_name"
        case application
        case usesPIN = "uses_pin"
        case pinnedCertificates = "pinned_certificates"
        case proxy
        case timeoutSeconds = "timeout_seconds"
        case refreshesConfigurationAfterSeconds = "refreshes_configuration_after_seconds"
    }

    /// Absent members take their usual values.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            issuer: try values.decode(String.self, forKey: .issuer),
            clientID: try values.decode(String.self, forKey: .clientID))
        scopes = try values.decodeIfPresent([String].self, forKey: .scopes) ?? scopes
        redirectURI = try values.decodeIfPresent(String.self, forKey: .redirectURI)
        installationName =
            try values.decodeIfPresent(String.self, forKey: .installationName) ?? ""
        application =
            try values.decodeIfPresent(ApplicationIdentity.self, forKey: .application)
        usesPIN = try values.decodeIfPresent(Bool.self, forKey: .usesPIN) ?? usesPIN
        pinnedCertificates =
            try values.decodeIfPresent([String].self, forKey: .pinnedCertificates) ?? []
        proxy = try values.decodeIfPresent(NetworkTransport.Proxy.self, forKey: .proxy)
        timeoutSeconds =
            try values.decodeIfPresent(Int64.self, forKey: .timeoutSeconds) ?? timeoutSeconds
        refreshesConfigurationAfterSeconds =
            try values.decodeIfPresent(Int64.self, forKey: .refreshesConfigurationAfterSeconds)
            ?? refreshesConfigurationAfterSeconds
    }
}
