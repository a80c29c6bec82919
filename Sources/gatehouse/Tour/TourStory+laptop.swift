// SPDX-License-Identifier: Apache-2.0
import AgentClient
import CommandLineSupport
import JOSE
import Synchronization

/// The chapters about a machine: Platform SSO on Linux, with the agent.
extension TourStory {
    /// What the chapters share: the second and third need the laptop of the first.
    private final class Desk: Sendable {
        private let stored = Mutex<TourLaptop?>(nil)

        func put(_ laptop: TourLaptop) { stored.withLock { $0 = laptop } }

        var laptop: TourLaptop {
            get throws {
                guard let laptop = stored.withLock({ $0 }) else {
                    throw CommandError("there is no laptop yet")
                }
                return laptop
            }
        }
    }

    var laptopChapters: [Chapter] {
        let desk = Desk()
        return [
            Chapter(title: "A laptop registers by itself") {
                desk.put(try await registerLaptop())
            },
            Chapter(title: "Dora signs in to the laptop") { try await signIn(desk.laptop) },
            Chapter(title: "A program on the laptop asks who she is") {
                try await askAgain(desk.laptop)
            },
            Chapter(title: "The laptop is handed in") { try await handIn(desk.laptop) },
        ]
    }

    private func registerLaptop() async throws -> TourLaptop {
        screen.explain(
            """
            An administrator creates a token that registers one device, and a profile that contains \
            it: a Mac would get the same file.
            """)
        try await gatehouse.succeed([
            "admin", "registration-tokens", "create", "--uses", "1", "--token-path", "laptop.token",
            "--data-dir", TourProvider.data,
        ])
        try house.folder.makeFolder(TourLaptop.profiles)
        try await gatehouse.succeed([
            "platform-sso", "profile", "--issuer", provider.issuer, "--team", "ABCDE12345",
            "--extension", "org.gatehouse.sso", "--registration-token-file", "laptop.token",
            "--output",
            "\(TourLaptop.profiles)/sso.mobileconfig",
        ])
        screen.explain(
            """
            The agent finds the profile, creates the laptop's keys and registers them. On your own \
            device it runs as root, from /etc/gatehouse/profiles: gatehouse-agent install.
            """)
        let laptop = try TourLaptop.start(in: house, screen, password: provider.password)
        let name = try await laptop.registered().devices.first?.keyID ?? ""
        screen.proves("No person signed in: the token registered one device, and is consumed.")
        screen.proves(
            """
            The laptop has both keys: one signed the nonce, the other took part in a key agreement \
            with the provider's. The key \(name.prefix(12))… now identifies the laptop.
            """)
        return laptop
    }

    private func signIn(_ laptop: TourLaptop) async throws {
        _ = try await laptop.run(["register", "user", "--account", "dora"], .registerUser)
        screen.proves(
            """
            The password was sent in a request that the laptop's key signed, with a single-use \
            nonce: a copy of the request is useless.
            """)
        screen.proves(
            "The response is encrypted to the laptop's other key: no proxy can read it.")
        try await laptop.show(["status", "--account", "dora"], .status)
        screen.proves("What is registered, with which key, and what happens next and when.")
    }

    private func askAgain(_ laptop: TourLaptop) async throws {
        let token = try await laptop.run(["token", "--account", "dora"], .token)
        screen.printed(TourMessage.cut(token["id_token"]?.string ?? ""))
        screen.proves("No message was sent: Dora is signed in, and the agent has her token.")
        screen.explain("Before the token expires, the agent renews it:")
        _ = try await laptop.run(
            ["sign-in", "--refresh", "--account", "dora"], .refresh)
        screen.proves("The laptop's key signed the request. Dora got no prompt.")
    }

    private func handIn(_ laptop: TourLaptop) async throws {
        try await laptop.show(["unregister", "device", "--yes"], .unregisterDevice)
        screen.proves("The provider has revoked the laptop and its sign-ins; the keys are deleted.")
    }
}
