// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CTAP
import CommandLineSupport
import JOSE

/// `gatehouse security-key info`
struct SecurityKeyInfoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Show the properties and features of a key.",
        discussion: "Example: gatehouse security-key info --device /dev/hidraw0")

    @OptionGroup var key: SecurityKeyOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let report = try await key.withKey(.chooseKey) {
            (key, _) async throws(SecurityKeyError) -> SecurityKeyReport in
            let tries = key.info?.hasPIN == true ? try await key.pinTriesLeft() : nil
            return SecurityKeyReport(key: key.description, info: key.info, triesLeft: tries)
        }
        print(output.json ? report.json.text : report.text)
    }
}
