// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Platform
import TerminalDialog
import UnixSignals

/// `gatehouse tour`: the story of an app, a security key, a machine and their people, told by what goes
/// over the wire.
struct TourCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tour",
        abstract: "See an app, a security key and a laptop let people in: every message of it.",
        discussion: """
            Starts a provider of its own on this machine, thrown away at the end, and runs the \
            example app notes and the agent of a laptop against it, in a folder of their own. Each \
            command is shown, each message, and what it proves; nothing of this machine is changed. \
            While the tour waits, the same commands can be typed in another terminal: it says how. \
            The chapters about the app need notes beside this program (make install puts it there).

            Examples:

              gatehouse tour
              gatehouse tour --yes
            """)

    @Flag(name: [.long, .short], help: "Do not wait between the chapters.")
    var yes = false

    func run() async throws {
        let screen = screen
        screen.title("gatehouse tour")
        // Trapped until all is cleaned up, so that impatience leaves nothing behind.
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
        defer { withExtendedLifetime(signals) {} }
        let house = try await TourResources.open(screen)
        do {
            try await Self.run(until: signals) { try await TourStory.tell(screen, house) }
        } catch {
            let missing = house.missing
            await house.close()
            screen.gap()
            throw Self.sentence(error, missing: missing)
        }
        await house.close()
        screen.end("The provider is stopped, and all that it kept is gone.")
    }

    private var screen: TourScreen {
        var environment = ProcessEnvironment.all
        if !StandardOutput.isTerminal { environment["NO_COLOR"] = "1" }
        return TourScreen(
            style: TerminalStyle(environment: environment),
            waits: !yes && StandardOutput.isTerminal && StandardInput.isTerminal,
            width: min(StandardOutput.columns, TourScreen.greatestWidth))
    }

    /// The tour was stopped by a signal.
    private struct Stopped: Error {}

    /// Throws the error of the body, or ``Stopped`` after the body was cancelled and has ended.
    private static func run(
        until signals: UnixSignalsSequence, _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await body() }
            group.addTask { for await _ in signals { throw Stopped() } }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private static func sentence(_ error: any Error, missing: TourService?) -> CommandError {
        if error is Stopped {
            return CommandError("the tour is stopped, and all that it kept is gone")
        }
        if let missing {
            return CommandError(
                "\(missing.name) has ended in the middle of the tour\(missing.lastWords)")
        }
        return CommandError("the tour ended early: \(error)")
    }
}
