// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import JOSE
import SingleSignOn

/// `gatehouse platform-sso`
struct PlatformSSOCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "platform-sso",
        abstract: "Create profiles for devices that use the provider (Platform SSO).",
        discussion: "Example: gatehouse platform-sso profile --help",
        subcommands: [ProfileCommand.self, Keys.self])

    struct Keys: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "keys", abstract: "Print every key of a profile, as Markdown or JSON.",
            discussion: "Example: gatehouse platform-sso keys > profile-keys.md")

        @OptionGroup var output: OutputOptions

        func run() {
            let text = output.json ? KeyDocumentation.json.text + "\n" : KeyDocumentation.markdown
            print(text, terminator: "")
        }
    }
}
