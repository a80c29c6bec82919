// SPDX-License-Identifier: Apache-2.0
import Crypto
import Primitives
import WebAuthn

/// How many ES256 sign-ins a second the relying party verifies on one core: the browser's JSON is
/// read, every step of section 7.2 runs, the signature is checked. Nothing is kept between them.
///
/// Usage: webauthn-speed [SECONDS]. Prints the rate.
@main
struct WebAuthnSpeed {
    static func main() {
        let seconds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 3
        let party = RelyingParty(id: "example.org", origins: ["https://example.org"])
        let sample = SignIns(count: 64)
        let clock = ContinuousClock()
        let start = clock.now
        let end = start.advanced(by: .seconds(seconds))
        var count = 0
        while clock.now < end {
            for signIn in sample.all {
                guard signIn.isAccepted(by: party, stored: sample.stored) else {
                    print("a good sign-in was refused")
                    return
                }
            }
            count += sample.all.count
        }
        let elapsed = (clock.now - start) / .seconds(1)
        print(Int(Double(count) / elapsed))
    }
}
