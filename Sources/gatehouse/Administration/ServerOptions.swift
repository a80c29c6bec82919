// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import Platform
import Primitives

/// How a command finds the running provider and proves that it may administer it.
struct ServerOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Address of the provider (GATEHOUSE_SERVER).", valueName: "url"))
    var server: String?
    @Option(
        help: ArgumentHelp(
            "File with the admin token or an API token (GATEHOUSE_TOKEN_FILE; GATEHOUSE_TOKEN holds the token itself).",
            valueName: "file"))
    var tokenFile: String?
    @Option(
        help: ArgumentHelp(
            "Data directory of a provider on this device, which contains both (GATEHOUSE_DATA_DIR, "
                + "gatehouse-data).", valueName: "dir"))
    var dataDir: String?
    @Option(
        help: ArgumentHelp("Certificates to trust instead of the system's, PEM.", valueName: "file")
    )
    var ca: String?

    /// Returns the connection to the selected provider, with its token.
    func connect() throws -> AdminConnection {
        let ca = try TrustedCertificates.checked(ca)
        let directory = dataDir ?? ProcessEnvironment["GATEHOUSE_DATA_DIR"]
        if let server = server ?? ProcessEnvironment["GATEHOUSE_SERVER"], dataDir == nil {
            guard server.hasPrefix("http://") || server.hasPrefix("https://") else {
                throw CommandError("--server must be an http or https URL", code: .badInput)
            }
            return AdminConnection(
                url: server, token: try token(directory: directory), certificates: ca)
        }
        let place = DataDirectory(path: directory ?? "gatehouse-data")
        guard let url = try place.readServer() else {
            throw CommandError(
                "no provider has run from \(place.path); start one with gatehouse serve, or set "
                    + "where it is with --server URL --token-file FILE", code: .badInput)
        }
        return AdminConnection(url: url, token: try token(directory: place.path), certificates: ca)
    }

    /// Where the token is kept, when it is kept in a file.
    var tokenPath: String? {
        if let tokenFile { return tokenFile }
        if let dataDir { return DataDirectory(path: dataDir).adminToken }
        if let path = ProcessEnvironment["GATEHOUSE_TOKEN_FILE"] { return path }
        if ProcessEnvironment["GATEHOUSE_TOKEN"] != nil { return nil }
        return DataDirectory(path: ProcessEnvironment["GATEHOUSE_DATA_DIR"] ?? "gatehouse-data")
            .adminToken
    }

    private func token(directory: String?) throws -> Secret {
        if tokenFile == nil, dataDir == nil, let token = ProcessEnvironment["GATEHOUSE_TOKEN"] {
            return Secret(token)
        }
        guard let path = tokenPath, let content = try SecretFile.read(path) else {
            throw CommandError(
                "there is no admin token at \(tokenPath ?? "-"); name its file with --token-file",
                code: .badInput)
        }
        return Secret(content.trimmedLine)
    }
}
