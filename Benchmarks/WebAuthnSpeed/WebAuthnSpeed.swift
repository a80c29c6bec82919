// SPDX-License-Identifier: Apache-2.0
import Foundation
import WebAuthn

/// How many ceremonies a second the relying party verifies on one core. Nothing is kept between
/// them.
///
/// Usage: webauthn-speed CEREMONIES SECONDS. One JSON line for each ceremony:
/// `{"work": …, "rate": …}`, or `"refused"` with the reason.
@main
struct WebAuthnSpeed {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let seconds = Double(arguments[2]) else {
            print("usage: webauthn-speed CEREMONIES SECONDS")
            return
        }
        let lines = try String(contentsOfFile: arguments[1], encoding: .utf8)
        for line in lines.split(separator: "\n") {
            let ceremony = try Ceremony(String(line))
            do {
                let rate = Int(try await rate(ceremony, seconds: seconds))
                print("{\"work\": \"\(ceremony.work)\", \"rate\": \(rate)}")
            } catch {
                print("{\"work\": \"\(ceremony.work)\", \"refused\": \"\(error)\"}")
            }
        }
    }

    /// Off the main actor, as a server's ceremonies are: a registration would go over to another
    /// thread and back for each certificate path otherwise.
    @concurrent private static func rate(
        _ ceremony: Ceremony, seconds: Double
    ) async throws -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        let end = start.advanced(by: .seconds(seconds))
        var count = 0
        while clock.now < end {
            for _ in 0..<20 { try await ceremony.verify() }
            count += 20
        }
        return Double(count) / ((clock.now - start) / .seconds(1))
    }
}
