// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import Foundation
import Platform
import TerminalDialog

/// A program that stays while the story goes on: this one once more, as the provider, the agent of a
/// device, and the app's own service.
final class TourService: Sendable {
    /// For sentences.
    let name: String
    private let process: Process
    private let log: URL

    /// - Parameters:
    ///   - words: of the command line, without the program.
    ///   - program: This one, unless another is named.
    ///   - settings: What its environment has besides.
    init(
        _ name: String, _ words: [String], of program: URL? = nil, in folder: TourFolder,
        settings: [String: String] = [:]
    ) throws {
        self.name = name
        log = folder.url.appending(path: "\(words[0]).log")
        try Data().write(to: log)
        process = Process()
        process.executableURL = try program ?? ProgramLocation.current()
        process.arguments = words
        process.currentDirectoryURL = folder.url
        process.environment = TourProgram.environment.merging(settings) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = try FileHandle(forWritingTo: log)
        try process.run()
    }

    var isRunning: Bool { process.isRunning }

    /// Waits until it serves.
    ///
    /// - Throws: ``CommandError`` with its own words when it does not.
    func wait(until isReady: () async throws -> Bool) async throws {
        let deadline = ContinuousClock.now.advanced(by: .seconds(60))
        while process.isRunning, ContinuousClock.now < deadline {
            if try await isReady() { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw CommandError("\(name) did not start\(lastWords). Run the tour again")
    }

    /// What it said last, behind a colon; empty when it has said nothing.
    var lastWords: String {
        let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
        guard let line = text.split(separator: "\n").last else { return "" }
        let programs = ["gatehouse", AgentExecutable.name].map { "\($0): " }
        let sentence = line.dropFirst(programs.first(where: line.hasPrefix)?.count ?? 0)
        return ": \(TerminalText.safe(String(sentence), limit: 400))"
    }

    /// Both end by SIGTERM; whatever holds one up does not hold the tour up.
    func stop() async {
        guard process.isRunning else { return }
        let process = process
        process.terminate()
        let end = Task { try await BlockingCall.run { process.waitUntilExit() } }
        let force = Task {
            try await Task.sleep(for: .seconds(10))
            ProcessSignal.kill.send(to: process.processIdentifier)
        }
        _ = await end.result
        force.cancel()
    }
}
