// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import HTTPServer
import JOSE
import Logging
import Primitives
import ProviderAdministration
import ProviderCore
import SampleApps
import ServiceLifecycle
import Storage
import UserClient
import WebPages

/// `serve --demo`: Shop and Wiki on the next two ports, and Anna to sign in as.
struct DemoApps: Sendable {
    private static let names = ["Shop", "Wiki"]
    private static let person = "anna"
    private static let password = "correct horse battery staple"

    private let provider: Provider
    private let configuration: ServeConfiguration

    init(_ provider: Provider, _ configuration: ServeConfiguration) {
        self.provider = provider
        self.configuration = configuration
    }

    /// Registers the apps and makes their servers.
    func services() async throws -> [any Service] {
        try await register()
        let web = try WebResources()
        let client = WebClient(trustedCertificates: configuration.tls?.certificate)
        return try Self.names.indices.map { index in
            let app = DemoApp(settings(index), web: web, random: provider.random) {
                let answer = try await client.send($0, $1, headers: $2, body: $3)
                return HTTPFetched(
                    status: answer.status, body: answer.body,
                    challenge: answer.headers["www-authenticate"])
            }
            return try Listener(
                Listener.Options(host: configuration.listen.host, port: port(index)),
                // The apps are sites of their own, whatever path the issuer has.
                dispatcher: Dispatcher(provider: provider, groups: [app], base: "")
            ).service { _ in }
        }
    }

    private func port(_ index: Int) -> Int { Self.ports(configuration)[index] }

    /// The ports after the provider's own.
    static func ports(_ configuration: ServeConfiguration) -> [Int] {
        names.indices.map { configuration.listen.port + 1 + $0 }
    }

    private func address(_ index: Int) -> String { "http://localhost:\(port(index))" }

    private func settings(_ index: Int) -> DemoApp.Settings {
        let name = Self.names[index]
        let other = (index + 1) % Self.names.count
        return DemoApp.Settings(
            name: name, address: address(index), issuer: provider.issuer,
            clientSecret: secret(name),
            neighbour: (Self.names[other], address(other)))
    }

    /// Follows from the master key, so that a second start changes nothing.
    private func secret(_ name: String) -> Secret {
        Secret(Base64URL.encode(provider.secrets.hash("demo/\(name)".utf8, for: .clientSecret)))
    }

    /// What to open, and how to get in.
    func announce(_ directory: DataDirectory) {
        for index in Self.names.indices {
            provider.log.notice(
                "open the sample app \(Self.names[index])", metadata: ["url": "\(address(index))"])
        }
        do {
            try FirstSecret(directory: directory, log: provider.log).report(
                "sign in with a new account, or as \(Self.person)", "password", Self.password,
                file: "demo-password")
        } catch {
            provider.log.error("the password cannot be written", metadata: ["error": "\(error)"])
        }
    }

    // MARK: Registration, by declarative state

    private func register() async throws {
        let state = try StateParser.parse(["projects": .array([.object(try await project())])])
        let facts = RequestMetadata(now: provider.clock.now, requestID: "demo", address: "local")
        guard case .success = try await StateReconciler(provider).apply(state, facts: facts) else {
            throw CommandError("the sample apps could not be registered")
        }
    }

    private func project() async throws -> JSONObject {
        var project = JSONObject()
        project["name"] = "default"
        project["clients"] = .array(Self.names.indices.map { client(settings($0)) })
        // Creates Anna if she does not exist. Later changes of her account are preserved.
        if try await !hasAnna() {
            project["users"] = [
                [
                    "username": .string(Self.person), "name": "Anna Johnson",
                    "email": "anna@example.com", "email_verified": true, "groups": ["staff"],
                    "password": .string(Self.password),
                ]
            ]
        }
        return project
    }

    private func hasAnna() async throws -> Bool {
        guard let tenant = try await provider.tenant(named: "default") else { return false }
        return try await provider.store.people.person(username: Self.person, in: tenant.project.id)
            != nil
    }

    private func client(_ settings: DemoApp.Settings) -> JSONValue {
        [
            "client_id": .string(settings.clientID), "client_name": .string(settings.name),
            "client_secret": .string(settings.clientSecret.revealText()),
            "token_endpoint_auth_method": "client_secret_basic",
            "grant_types": ["authorization_code", "refresh_token"],
            "redirect_uris": [.string(settings.redirectURI)],
            "post_logout_redirect_uris": [.string(settings.postLogoutRedirectURI)],
            "scope": "openid profile email groups offline_access", "first_party": true,
            "id_token_signed_response_alg": "ES256",
        ]
    }
}
