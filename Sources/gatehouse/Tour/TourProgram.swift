// SPDX-License-Identifier: Apache-2.0
import Foundation
import Platform

/// A program that the tour runs. It displays the command and its output, and enters text at the
/// prompts of the program.
struct TourProgram: Sendable {
    let url: URL
    /// The displayed name.
    let name: String
    let folder: TourFolder
    let environment: [String: String]
    let screen: TourScreen

    struct Outcome: Sendable {
        let status: Int32
        let lines: [String]
    }

    // MARK: Paths

    /// This program.
    static func gatehouse() throws -> URL {
        #if os(Linux)
            // Resolves symbolic links, because the other programs are in the directory of the
            // executable.
            let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            let url = path.map { URL(filePath: $0) }
        #else
            let url = Bundle.main.executableURL?.resolvingSymlinksInPath()
        #endif
        guard let url else { throw CommandError("cannot determine the path of this executable") }
        return url
    }

    /// The example app, which is built and installed in the directory of this program.
    static func notes() throws -> URL? {
        let url = try gatehouse().deletingLastPathComponent().appending(path: "notes")
        let path = url.path(percentEncoded: false)
        return FileManager.default.isExecutableFile(atPath: path) ? url : nil
    }

    /// The environment of this process, without settings that would direct a program to another
    /// server, database or token.
    static let environment = ProcessEnvironment.all.filter {
        !$0.key.hasPrefix("GATEHOUSE_") && !$0.key.hasPrefix("NOTES_")
    }

    // MARK: Running

    /// - Parameters:
    ///   - place: Additional environment variables, displayed before the command.
    ///   - typing: The text to enter at each prompt. A prompt is a line that ends with a colon and
    ///     a space.
    ///   - isQuiet: Whether the output is a secret and is not displayed.
    @discardableResult
    func run(
        _ words: [String], at place: [String: String] = [:], typing: [String] = [],
        isQuiet: Bool = false
    ) async throws -> Outcome {
        let settings = place.sorted { $0.key < $1.key }.map { "\($0.key)=\(Self.quoted($0.value))" }
        screen.command(settings + [name] + words.map(Self.quoted))
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = url
        process.arguments = words
        process.currentDirectoryURL = folder.url
        process.environment = environment.merging(place) { $1 }
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let answers = input.fileHandleForWriting
        let printed = await converse(
            try Self.lines(of: output.fileHandleForReading), answers, typing, isQuiet)
        try? answers.close()
        // What it keeps is as durable as if the machine had stopped.
        if Task.isCancelled { ProcessSignal.kill.send(to: process.processIdentifier) }
        try await BlockingCall.run { process.waitUntilExit() }
        try Task.checkCancellation()
        return Outcome(status: process.terminationStatus, lines: printed)
    }

    /// The same, where the story cannot go on without it.
    @discardableResult
    func succeed(
        _ words: [String], at place: [String: String] = [:], typing: [String] = [],
        isQuiet: Bool = false
    ) async throws -> Outcome {
        let outcome = try await run(words, at: place, typing: typing, isQuiet: isQuiet)
        guard outcome.status == 0 else {
            throw CommandError("\(name) \(words.first ?? "") has failed")
        }
        return outcome
    }

    private func converse(
        _ lines: AsyncStream<String>, _ answers: FileHandle, _ typing: [String], _ isQuiet: Bool
    ) async -> [String] {
        var (left, printed) = (typing[...], [String]())
        for await line in lines {
            printed.append(line)
            guard line.hasSuffix(": ") else {
                if !isQuiet { screen.printed(line) }
                continue
            }
            if let answer = left.popFirst() {
                screen.printed(line, typed: answer, isHidden: line.contains("PIN"))
                try? answers.write(contentsOf: Data((answer + "\n").utf8))
            } else {
                try? answers.close()
            }
        }
        return printed
    }

    /// What it prints, line by line, as it comes.
    private static func lines(of handle: FileHandle) throws -> AsyncStream<String> {
        let (lines, line) = AsyncStream<String>.makeStream()
        try BackgroundThread.start(niceness: 0) {
            var rest: [UInt8] = []
            let output = Descriptor(rawValue: handle.fileDescriptor)
            while let part = try? output.read(atMost: 4096), !part.isEmpty {
                rest += part
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    line.yield(String(decoding: rest[..<end], as: UTF8.self))
                    rest.removeFirst(end + 1)
                }
            }
            if !rest.isEmpty { line.yield(String(decoding: rest, as: UTF8.self)) }
            line.finish()
        }
        return lines
    }

    /// As a shell reads it.
    static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "-_./:=,@%+".utf8.contains($0)
            }
        }
        guard !isPlain || word.isEmpty else { return word }
        return "'\(word.replacingOccurrences(of: "'", with: #"'\''"#))'"
    }
}
