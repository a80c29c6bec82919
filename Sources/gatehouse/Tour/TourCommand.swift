// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import Platform
import TerminalDialog
import UnixSignals

/// `gatehouse tour`: the story of an app, a security key, a machine and their people, told by what goes
/// over the wire.
struct TourCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tour",
        abstract: "Show every message of a sign-in with an app, a security key and a laptop.",
        discussion: """
            Starts a temporary provider on this device, and runs the example app notes and the \
            agent of a laptop with it, in a temporary directory. Shows each command, each message, \
            and what it proves. Changes nothing else on this device. While the tour waits, you can \
            type the same commands in another terminal; the tour shows how. The chapters about the \
            app need notes in the directory of this program (make install copies it there).

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
            try await Self.run(until: signals) { try await TourStory.run(screen, house) }
        } catch {
            let missing = house.missing
            await house.close()
            screen.gap()
            throw Self.sentence(error, missing: missing)
        }
        await house.close()
        screen.end("The provider is stopped, and its data are deleted.")
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
            return CommandError("the tour is stopped, and its data are deleted")
        }
        if let missing {
            return CommandError(
                "\(missing.name) has ended in the middle of the tour\(missing.lastWords)")
        }
        return CommandError("the tour ended early: \(error)")
    }
}
