// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support

/// Apache with Debian's mod_auth_openidc, unmodified, as two protected sites on loopback ports.
final class ApacheSites: Sendable {
    struct Site: Sendable {
        let name: String
        let port: Int
        var origin: String { "http://localhost:\(port)" }
        var redirect: String { origin + "/oidc/callback" }
        var goodbye: String { origin + "/goodbye/" }

        /// Its entry in the provider's declarative state.
        var client: JSON {
            DeclaredState.web(
                name, redirect: redirect,
                [
                    "post_logout_redirect_uris": [.string(goodbye)],
                    "scope": "openid profile email groups",
                ])
        }
    }

    static let modules = URL(filePath: "/usr/lib/apache2/modules")

    static var isInstalled: Bool {
        let module = modules.appending(path: "mod_auth_openidc.so").path()
        return Repository.has("apache2") && FileManager.default.fileExists(atPath: module)
    }

    let sites: [Site]
    private let folder: TemporaryDirectory
    private let child: ChildProcess

    static func chooseSites() throws -> [Site] {
        try ["library", "museum"].map { Site(name: $0, port: try Connection.freePort()) }
    }

    init(_ sites: [Site], issuer: String) async throws {
        self.sites = sites
        folder = try TemporaryDirectory()
        for site in sites {
            for path in ["\(site.name)", "\(site.name)/goodbye"] {
                try FileManager.default.createDirectory(
                    at: folder.file(path), withIntermediateDirectories: true)
            }
            try folder.write("<h1>Welcome to \(site.name)</h1>", to: "\(site.name)/index.html")
            try folder.write(
                "<h1>Goodbye from \(site.name)</h1>",
                to: "\(site.name)/goodbye/index.html")
        }
        try folder.write(
            Self.configuration(sites, issuer: issuer, folder: folder.url.path()),
            to: "apache.conf")
        guard let program = Repository.path(of: "apache2") else {
            throw HarnessError("apache2 is not installed")
        }
        child = try ChildProcess(
            program, ["-f", folder.file("apache.conf").path(), "-DFOREGROUND"],
            log: Repository.outputFile("apache.log"))
        for site in sites {
            try await eventually("Apache answers on \(site.port)") {
                guard child.isRunning else { throw HarnessError(child.lastWords) }
                return try await exchange(.init(path: "/goodbye/"), port: site.port).status == 200
                    ? true : nil
            }
        }
    }

    func stop() async throws { try await child.stop() }

    private static func configuration(_ sites: [Site], issuer: String, folder: String) -> String {
        let names = [
            "mpm_event", "authn_core", "authz_core", "authz_user", "dir", "mime", "headers",
            "auth_openidc",
        ]
        let loads = names.map {
            "LoadModule \($0)_module \(modules.path())/mod_\($0).so"
        }
        let listens = sites.map { "Listen 127.0.0.1:\($0.port)" }
        let hosts = sites.map { host($0, issuer: issuer, folder: folder) }
        let head = """
            ServerRoot "\(folder)"
            ServerName localhost
            PidFile "\(folder)/apache.pid"
            ErrorLog "/dev/stderr"
            DocumentRoot "\(folder)"
            DefaultRuntimeDir "\(folder)"
            User www-data
            Group www-data
            TypesConfig /etc/mime.types
            """
        return ((loads + [head] + listens + hosts).joined(separator: "\n")) + "\n"
    }

    /// Cookies do not depend on ports, so each site has separate cookie names.
    private static func host(_ site: Site, issuer: String, folder: String) -> String {
        """
        <VirtualHost 127.0.0.1:\(site.port)>
            ServerName localhost:\(site.port)
            DocumentRoot "\(folder)/\(site.name)"
            OIDCProviderMetadataURL \(issuer)/.well-known/openid-configuration
            OIDCClientID \(site.name)
            OIDCClientSecret \(DeclaredState.secret)
            OIDCRedirectURI \(site.redirect)
            OIDCCryptoPassphrase not-a-secret-in-a-test-\(site.name)
            OIDCCookie \(site.name)_session
            OIDCStateInputHeaders user-agent
            OIDCScope "openid profile email groups"
            OIDCPKCEMethod S256
            OIDCProviderTokenEndpointAuth client_secret_basic
            OIDCRemoteUserClaim preferred_username
            <Directory "\(folder)/\(site.name)">
                AuthType openid-connect
                Require claim groups:staff
                Header always set X-Visitor "expr=%{REMOTE_USER}"
                # A file's age lets browsers show a copy after the sign-out (RFC 9111 section 4.2.2).
                Header always set Cache-Control "no-store"
            </Directory>
            <Directory "\(folder)/\(site.name)/goodbye">
                AuthType None
                Require all granted
            </Directory>
            <Location "/oidc/callback">
                AuthType openid-connect
                Require valid-user
            </Location>
        </VirtualHost>
        """
    }
}
