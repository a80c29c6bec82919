// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the provider.",
        discussion: """
            Examples:

              gatehouse serve --demo
              gatehouse serve --config /etc/gatehouse.yaml
              gatehouse serve --issuer https://login.example.com --listen 0.0.0.0:443 \\
                --tls-certificate cert.pem --tls-key key.pem

            Every flag is also an environment variable (--data-dir is GATEHOUSE_DATA_DIR) and a \
            key of the configuration file (data-dir). Flags win over the environment, the \
            environment over the file.

            The server is ready when GET /health/ready answers 200. SIGTERM drains and exits 0; \
            SIGHUP reloads certificates, log level and the state files to apply.
            """)

    @OptionGroup var options: ServeOptions

    func run() async throws {
        let loader = ConfigurationLoader(flags: options.flags, path: options.config)
        let (configuration, values) = try loader.load()
        for name in values.exposedSecrets {
            StandardError.print(
                "gatehouse: warning: --\(name) shows a password to everyone who can list "
                    + "processes; use \(Setting.named(name)?.variable ?? "") or the file instead")
        }
        try await ProviderProcess(configuration, loader: loader).run()
    }
}
