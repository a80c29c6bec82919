// SPDX-License-Identifier: Apache-2.0
import CTAP
import Primitives

/// A small program with the security key operations that tests and measurements need in a separate
/// process: `make test-hardware` runs it in a guest, the tests of PC/SC run it with a card service
/// that is visible only to it, and `Benchmarks/run --only keys` runs it alone.
///
///     security-key-check list [PATH]          KIND, ID, NAME and VERSIONS of every key
///     security-key-check ceremony [PATH]      registers and signs in; PIN from KEY_PIN
///     security-key-check hold PATH            opens the key until the input ends
///     security-key-check emulate [never]      serves a software key on a pty; `never` touches it
///     security-key-check pairs COUNT [apart]  registers and signs in over a socket pair; `apart`:
///                                             the site on other threads than the client
@main
struct SecurityKeyCheck {
    static func main() async throws {
        let words = CommandLine.arguments.dropFirst()
        let argument = words.dropFirst().first
        switch words.first {
        case "list": await list(source(argument))
        case "ceremony": try await ceremony(source(argument))
        case "hold": try await hold(argument ?? "")
        case "emulate": try await emulate(touched: argument != "never")
        case "pairs":
            try await PairSpeed.measure(
                argument.flatMap { Int($0) } ?? 1000, apart: words.dropFirst(2).first == "apart")
        default: exitWith(2, "usage: security-key-check list|ceremony|hold|emulate|pairs")
        }
    }

    private static func source(_ path: String?) -> any AuthenticatorSource {
        ConnectedAuthenticators.source(path: path, random: SystemRandomSource())
    }

    private static func list(_ source: any AuthenticatorSource) async {
        for await devices in source.snapshots() {
            for device in devices {
                let about = device.description
                let versions = await versions(of: device)
                LineOutput.say("\(about.kind.rawValue) \(about.id) \(about.name) \(versions)")
            }
            return
        }
    }

    private static func versions(of device: any AuthenticatorDevice) async -> String {
        do {
            let key = try await SecurityKey.open(device)
            defer { key.close() }
            return key.info.map { $0.versions.joined(separator: ",") } ?? "U2F_V2"
        } catch { return "\(error)" }
    }

    private static func ceremony(_ source: any AuthenticatorSource) async throws {
        let people = PrintedPrompts(pin: LineOutput.environment("KEY_PIN"))
        let client = SecurityKeyClient(
            source: source, interaction: people, random: SystemRandomSource())
        do {
            let site = Site(verifiesPeople: people.pin != nil)
            let registered = try await site.register(client)
            LineOutput.say("registered \(registered.algorithm) \(registered.transports)")
            try await site.signIn(client, registered.credential)
            LineOutput.say("signed in")
        } catch let error as SecurityKeyError { exitWith(1, "error \(error)") }
    }

    private static func hold(_ path: String) async throws {
        let device = HIDDevice(path: path, kind: .usb, random: SystemRandomSource())
        do {
            let key = try await SecurityKey.open(device)
            LineOutput.say("held")
            while readLine() != nil {}
            key.close()
        } catch { exitWith(1, "error \(error)") }
    }

    private static func emulate(touched: Bool) async throws {
        let random = SystemRandomSource()
        let key = try SoftwareAuthenticator(
            store: MemoryAuthenticatorStore(),
            gesture: touched ? AutomaticGesture() as any UserGesture : AbsentPerson(),
            clock: SystemWallClock(), random: random)
        let served = try EmulatedSecurityKey(key, random: random).serve(on: .pty)
        LineOutput.say(served.path ?? "")
        await served.waitForEnd()
    }

    private static func exitWith(_ status: Int32, _ text: String) -> Never {
        LineOutput.say(text)
        LineOutput.leave(status)
    }
}
