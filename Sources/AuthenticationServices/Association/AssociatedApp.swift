// SPDX-License-Identifier: Apache-2.0
package import CTAP
import SingleSignOn

/// An app that may act for the domains that it names and that name it.
package struct AssociatedApp: CallerAuthorizer {
    private let entitlements: @Sendable () -> AppEntitlements?
    private let files: AssociationFiles
    private let allowsDevelopment: Bool
    private let warn: @Sendable (String) -> Void

    /// - Parameters:
    ///   - allowsDevelopment: Whether `?mode=developer` is accepted, for loopback hosts.
    ///   - warn: Called each time it is accepted.
    package init(
        entitlements: @escaping @Sendable () -> AppEntitlements?, files: AssociationFiles,
        allowsDevelopment: Bool, warn: @escaping @Sendable (String) -> Void
    ) {
        self.entitlements = entitlements
        self.files = files
        self.allowsDevelopment = allowsDevelopment
        self.warn = warn
    }

    package func caller(
        for relyingParty: String, clientDataJSON: [UInt8]?
    ) async throws(ASAuthorizationError) -> CeremonyCaller {
        guard let app = entitlements() else {
            throw ASAuthorizationError(
                .failed,
                "This program does not declare its app: set GATEHOUSE_APP_IDENTIFIER, or put "
                    + "an .entitlements file next to it.")
        }
        if let clientDataJSON {
            guard app.isWebBrowser else {
                throw ASAuthorizationError(
                    .failed, "Only an app that is declared as a browser can give client data.")
            }
            return .browser(clientDataJSON: clientDataJSON)
        }
        let domains = app.associatedDomains.compactMap { try? DomainEntry($0) }
            .filter { $0.service == .webcredentials }
        guard let name = HostName(relyingParty),
            let domain = domains.first(where: { $0.covers(name) })
        else {
            throw ASAuthorizationError(
                .failed,
                "The app \(app.applicationIdentifier) does not name webcredentials:\(relyingParty) "
                    + "among its associated domains.")
        }
        if domain.isForDevelopers { return try development(domain, relyingParty) }
        try await confirm(app, by: domain)
        return .app(associatedDomains: [relyingParty])
    }

    private func confirm(
        _ app: AppEntitlements, by domain: DomainEntry
    ) async throws(ASAuthorizationError) {
        let file = try await files.file(of: domain.host)
        guard file.names(app.applicationIdentifier, for: .webcredentials) else {
            throw ASAuthorizationError(
                .failed,
                "\(SiteAssociation.address(of: domain.host)) does not name the app "
                    + "\(app.applicationIdentifier).")
        }
    }

    private func development(
        _ domain: DomainEntry, _ relyingParty: String
    ) throws(ASAuthorizationError) -> CeremonyCaller {
        guard domain.isLocal, !domain.isWildcard else {
            throw ASAuthorizationError(.failed, "Developer mode is for localhost only.")
        }
        guard allowsDevelopment else {
            throw ASAuthorizationError(
                .failed, "Developer mode is off. Set GATEHOUSE_DEVELOPER_MODE=1 to switch it on.")
        }
        warn(
            "WARNING: developer mode. \(relyingParty) was not asked whether this app belongs to "
                + "it; the origin is \(domain.developerOrigin).")
        return .web(origin: domain.developerOrigin)
    }
}
