// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient
import Support
import Testing

extension EndToEnd {
    /// How the SDK reaches its provider over a network: pinned authorities, and through a proxy.
    @Suite(
        "An app's way to its provider",
        .enabled(if: CertificateAuthority.isInstalled, "needs openssl and certutil"))
    struct NetworkStory {
        private let authority: CertificateAuthority
        private let server: ServerProcess

        init() async throws {
            authority = try await CertificateAuthority(hosts: ["localhost"])
            server = try await ServerProcess(
                "pinned",
                site: .init(
                    host: "localhost", certificate: authority.certificate, key: authority.key))
        }

        /// What the provider says, asked for over TLS; nothing is kept.
        private func start(
            trusting root: URL?, through proxy: NetworkTransport.Proxy? = nil
        ) async throws -> ProviderConfiguration {
            var configuration = ClientConfiguration(issuer: server.issuer, clientID: "app")
            if let root {
                configuration.pinnedCertificates = [
                    try String(contentsOf: root, encoding: .utf8)
                ]
            }
            configuration.proxy = proxy
            return try await IdentityClient(
                configuration: configuration, store: InMemorySecureStore(),
                keys: InMemoryKeyStore()
            ).start()
        }

        private func refusal(trusting root: URL?) async throws -> IdentityError.Code? {
            do {
                _ = try await start(trusting: root)
                return nil
            } catch let error as IdentityError { return error.code }
        }

        @Test("Only a pinned authority is trusted; without it no request is sent")
        func pinned() async throws {
            #expect(try await start(trusting: authority.root).bindsTokens)
            let other = try await CertificateAuthority(hosts: ["localhost"])
            #expect(try await refusal(trusting: other.root) == .notTrusted)
            // Nor does the machine know this one.
            #expect(try await refusal(trusting: nil) == .notTrusted)
            try await server.stop()
        }

        @Test("Through a proxy the way is a tunnel, and the pin holds inside of it")
        func proxied() async throws {
            guard let python = Repository.path(of: "python3") else {
                throw HarnessError("python3 is not installed")
            }
            let (folder, port) = (try TemporaryDirectory(), try Connection.freePort())
            let script = Repository.root.appending(path: "Tests/EndToEnd/peers/connect_proxy.py")
            let proxy = try ChildProcess(
                python, [script.path(), "\(port)"], log: folder.file("proxy.log"))
            let place = NetworkTransport.Proxy(host: "127.0.0.1", port: port)
            let said = try await eventually("the proxy tunnels") {
                try await start(trusting: authority.root, through: place)
            }
            #expect(said.bindsTokens)
            #expect(proxy.lastWords.contains("CONNECT localhost:\(server.port)"))
            let other = try await CertificateAuthority(hosts: ["localhost"])
            do {
                _ = try await start(trusting: other.root, through: place)
                Issue.record("whoever the proxy leads to is trusted")
            } catch let error as IdentityError { #expect(error.code == .notTrusted, "\(error)") }
            proxy.signal(SIGKILL)
            _ = try await proxy.ended()
            try await server.stop()
        }
    }
}
