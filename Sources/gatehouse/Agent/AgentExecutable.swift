// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import Foundation
import Platform

/// `gatehouse-agent`, the program of the agent. Commands about this device run it, so that a device needs no
/// provider.
enum AgentExecutable {
    static let name = "gatehouse-agent"

    /// Replaces this process by the agent's program; returns only if that fails.
    static func run(_ arguments: [String]) throws(CommandError) {
        let program = try find().path(percentEncoded: false)
        let error = CurrentProcess.execute(program, [program] + arguments)
        throw CommandError("\(program) cannot be started: \(error.code)")
    }

    /// Returns the program alongside this one, or else the first in `PATH`.
    static func find() throws(CommandError) -> URL {
        try find(alongside: ProgramLocation.alongside(name), path: ProcessEnvironment["PATH"])
    }

    /// - Parameter path: Directories separated by colons; those that are not absolute do not count.
    static func find(alongside first: URL, path: String?) throws(CommandError) -> URL {
        let others = (path ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
            .map { URL(filePath: String($0)).appending(path: name) }
        for program in [first] + others where ProgramLocation.isExecutable(program) {
            return program
        }
        throw CommandError(
            "\(first.path(percentEncoded: false)) is missing, and PATH has no other \(name); install it "
                + "alongside this program")
    }
}
