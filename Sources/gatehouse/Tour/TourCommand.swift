// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import TerminalDialog

/// `gatehouse tour`: the story of an app and its people, told by what goes over the wire.
struct TourCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tour",
        abstract: "See an app, a phone and a security key let somebody in: every message of it.",
        discussion: """
            Starts a provider of its own on this machine, thrown away at the end, and does with \
            the app SDK what an app would do. Each message is printed, and what it proves.

            Example:

              gatehouse tour
              gatehouse tour --yes
            """)

    @Flag(name: [.long, .short], help: "Do not wait between the chapters.")
    var yes = false

    func run() async throws {
        var environment = ProcessInfo.processInfo.environment
        if !StandardOutput.isTerminal { environment["NO_COLOR"] = "1" }
        let screen = TourScreen(
            style: TerminalStyle(environment: environment),
            waits: !yes && StandardOutput.isTerminal && StandardInput.isTerminal)
        screen.title("gatehouse tour")
        let provider = try await TourProvider.start()
        do {
            try await TourStory(screen: screen, provider: provider).tell()
        } catch {
            await provider.stop()
            throw CommandError("the tour ended early: \(error)")
        }
        await provider.stop()
        screen.end("The provider is stopped, and all that it kept is gone.")
    }
}
