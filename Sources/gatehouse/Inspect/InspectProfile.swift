// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
package import JOSE
import Primitives
package import SingleSignOn

/// `gatehouse inspect profile`: a configuration profile or a declaration → what it configures,
/// what is wrong, and where. It reads the file itself; with `--batch`, lines
/// `{"profile":text or base64url,"channel"?,"system"?}`.
package enum InspectProfile {
    package static func verdict(
        for input: JSONValue, _ context: ProfileInspection.Context
    ) -> JSONValue {
        guard let text = input["profile"]?.string, let bytes = bytes(of: text) else {
            return Verdict.badInput("\"profile\" must be the text of a profile, or base64url").json
        }
        var context = context
        if let channel = input["channel"] {
            guard let channel = channel.string.flatMap(ProfileChannel.init(rawValue:)) else {
                return Verdict.badInput("\"channel\" must be \"device\" or \"user\"").json
            }
            context.channel = channel
        }
        if let system = input["system"] {
            guard let system = system.string.flatMap({ SystemVersion($0) }) else {
                return Verdict.badInput("\"system\" must be a version of macOS, as \"15.4\"").json
            }
            context.target = system
        }
        return ProfileInspection.verdict(on: bytes, context: context)
    }

    /// Text begins with an element or an object; nothing of base64url does.
    private static func bytes(of text: String) -> [UInt8]? {
        let first = text.utf8.first { $0 > 0x20 }
        if first == UInt8(ascii: "<") || first == UInt8(ascii: "{") || first == 0xEF {
            return Array(text.utf8)
        }
        return Base64URL.decode(text)
    }
}

extension InspectCommand {
    struct Profile: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "profile",
            abstract: "Check a single sign-on profile, and list its settings.",
            discussion: """
                Input: the profile itself: a property list in XML or binary, signed or not, or the
                declaration of macOS 27 in JSON. Each finding has a severity, a path and a place.
                Refused are profiles with an error; warnings and notes are in the value. With
                --batch: {"profile":text or base64url,"channel"?,"system"?} per line.

                Example: gatehouse inspect profile --system 15.4 sso.mobileconfig
                """)
        @Option(help: "The channel of the profile: device or user.")
        var channel: String?
        @Option(help: "The version of macOS that it is for. Newer keys give a warning.")
        var system: String?
        @OptionGroup var options: Options

        func run() async throws {
            let context = try context()
            try await options.run(
                { InspectProfile.verdict(for: $0, context) },
                whole: { ProfileInspection.verdict(on: $0, context: context) })
        }

        private func context() throws -> ProfileInspection.Context {
            var context = ProfileInspection.Context(now: SystemWallClock().now)
            if let channel {
                guard let known = ProfileChannel(rawValue: channel) else {
                    throw CommandError("--channel must be device or user", code: .badInput)
                }
                context.channel = known
            }
            if let system {
                guard let version = SystemVersion(system) else {
                    throw CommandError("--system must be a version such as 15.4", code: .badInput)
                }
                context.target = version
            }
            return context
        }
    }
}
