// SPDX-License-Identifier: Apache-2.0
import JOSE

/// A builder of the profile for a request, as `.mobileconfig` or as a declaration.
///
/// The same request results in the same bytes. The UUIDs depend on the issuer and the extension and
/// not on the settings, so that a profile with other settings replaces the earlier one.
package struct ProfileBuilder: Sendable {
    private let request: ProfileRequest
    private let address: HTTPAddress

    /// Throws if the profile would not work; the findings contain the reasons.
    package init(_ request: ProfileRequest) throws(ProfileRequestError) {
        guard let address = try? HTTPAddress(request.issuer), !address.hasQuery,
            !address.hasFragment, address.origin.isSecure || Self.isLocal(address.origin.host)
        else { throw .issuer(request.issuer) }
        if let app = request.appIdentifier, !AppIdentifier.isBundle(app) { throw .app(app) }
        self.request = request
        self.address = address
        // Keys that only the declaration has would be refused in the other form.
        if isForDeclaration {
            _ = try declaration()
        } else {
            try Self.check(try mobileconfig(), channel: request.channel)
        }
    }

    private var isForDeclaration: Bool { request.platformSSO.additionalHTTPHeaders != nil }

    /// Whether the host is loopback, which does not require TLS.
    private static func isLocal(_ host: HostName) -> Bool {
        host.description == "localhost" || host.description.hasSuffix(".localhost")
    }

    private static func check(
        _ bytes: [UInt8], channel: ProfileChannel
    ) throws(ProfileRequestError) {
        let inspection: ProfileInspection
        do throws(ProfileParseError) {
            inspection = try ProfileInspection(
                bytes, context: ProfileInspection.Context(channel: channel))
        } catch {
            throw .unwritable(error.reason)
        }
        let errors = inspection.findings.filter { $0.severity == .error }
        guard errors.isEmpty else { throw .findings(errors) }
    }

    // MARK: The forms

    /// A configuration profile in XML.
    package func mobileconfig() throws(ProfileRequestError) -> [UInt8] {
        let bytes: [UInt8]
        do throws(PropertyListError) {
            bytes = try XMLPropertyListWriter.bytes(of: profile.propertyList)
        } catch {
            throw .unwritable(error.reason)
        }
        // The other settings were validated before.
        if isForDeclaration { try Self.check(bytes, channel: request.channel) }
        return bytes
    }

    /// The declaration of macOS 27 in JSON.
    package func declaration() throws(ProfileRequestError) -> [UInt8] {
        let draft = SSODeclaration(
            identifier: identifier, serverToken: "", configuration: configuration)
        // The token is derived from the content, so it changes with every change.
        let content = PropertyList.dictionary(draft.payload).json.text
        var declaration = draft
        declaration.serverToken = NameBasedUUID.uuid(url: request.issuer, parts: [content])
        let bytes = declaration.json.bytes + [UInt8(ascii: "\n")]
        try Self.check(bytes, channel: request.channel)
        return bytes
    }

    /// The same as values.
    package var profile: ConfigurationProfile {
        var envelope = ProfileEnvelope()
        envelope.type = "Configuration"
        envelope.version = 1
        envelope.identifier = identifier
        envelope.uuid = uuid("profile")
        envelope.displayName = request.displayName
        envelope.organization = request.organization
        envelope.scope = request.channel == .device ? .system : .user
        envelope.removalDisallowed = request.removalDisallowed
        envelope.removalDate = request.removalDate
        var payloads = [
            ConfigurationProfile.Payload(
                head: head("sso", SSOConfiguration.payloadType),
                content: .singleSignOn(configuration))
        ]
        if let app = request.appIdentifier { payloads.append(domains(of: app)) }
        return ConfigurationProfile(envelope: envelope, payloads: payloads)
    }

    // MARK: The parts

    private var configuration: SSOConfiguration {
        var configuration = SSOConfiguration()
        configuration.extensionIdentifier = request.extensionIdentifier
        configuration.teamIdentifier = request.teamIdentifier
        configuration.type = .redirect
        configuration.urls = [prefix] + request.additionalURLs
        configuration.extensionData =
            [PropertyList.Entry("issuer", .string(request.issuer))] + request.extensionData
        configuration.screenLockedBehavior = request.screenLockedBehavior
        configuration.deniedBundleIdentifiers = request.deniedBundleIdentifiers
        configuration.registrationToken = request.registrationToken
        configuration.platformSSO = settings
        if request.namesMethodForFirstVersion {
            configuration.formerAuthenticationMethod = settings.authenticationMethod
        }
        return configuration
    }

    /// With a slash at the end: the prefix must not match another project whose name begins the
    /// same.
    private var prefix: String { request.issuer + (request.issuer.hasSuffix("/") ? "" : "/") }

    /// The settings with derived values: web login may load the provider's own pages, and new
    /// accounts are named by the provider's claims. The username may be an email address, which is
    /// not possible as an account name on a Mac.
    private var settings: PlatformSSOSettings {
        var settings = request.platformSSO
        let isWeb =
            settings.authenticationMethod == .openID
            || settings.newUserAuthenticationMethods?.contains(.openID) == true
        if isWeb, settings.webLoginURLAllowList == nil {
            settings.webLoginURLAllowList = [address.origin.host.description]
        }
        if settings.enableCreateUserAtLogin == true, settings.tokenToUserMapping == nil {
            var mapping = TokenToUserMapping()
            mapping.accountName = "account_name"
            mapping.fullName = "name"
            settings.tokenToUserMapping = mapping
        }
        return settings
    }

    private func domains(of app: String) -> ConfigurationProfile.Payload {
        var entry = AssociatedDomainsPayload.App()
        entry.applicationIdentifier = "\(request.teamIdentifier).\(app)"
        let own = address.origin.host
        var hosts = [own]
        for host in request.additionalURLs.compactMap({ try? HTTPAddress($0).origin.host })
        where !hosts.contains(host) { hosts.append(host) }
        entry.associatedDomains =
            hosts.map { "\(AssociatedService.authsrv.rawValue):\($0)" }
            + ["\(AssociatedService.webcredentials.rawValue):\(own)"]
        var payload = AssociatedDomainsPayload()
        payload.configuration = [entry]
        return ConfigurationProfile.Payload(
            head: head("domains", AssociatedDomainsPayload.payloadType),
            content: .associatedDomains(payload))
    }

    private func head(_ part: String, _ type: String) -> PayloadHead {
        var head = PayloadHead()
        head.type = type
        head.version = 1
        head.identifier = "\(identifier).\(part)"
        head.uuid = uuid(part)
        head.displayName = request.displayName
        return head
    }

    /// The host of the issuer in reverse order, then its path: `com.example.idp.p.qa.platform-sso`.
    private var identifier: String {
        let host = address.origin.host.description.split(separator: ".").reversed()
        let path = address.path.split(separator: "/")
        return (host + path + ["platform-sso"]).joined(separator: ".")
    }

    private func uuid(_ part: String) -> String {
        NameBasedUUID.uuid(url: request.issuer, parts: [request.extensionIdentifier, part])
    }
}
