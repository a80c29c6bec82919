// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

extension EndToEnd {
    /// `gatehouse tour`, as somebody without a terminal runs it.
    @Suite("The tour")
    struct TourStory {
        @Test("It is told to its end, shows no secret, and leaves nothing")
        func told() async throws {
            let place = try TemporaryDirectory()
            let outcome = try await Command.run(
                Repository.gatehouse, ["tour", "--yes"],
                environment: ["TMPDIR": place.url.path(), "LC_ALL": "C.UTF-8"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            for part in [
                "1  A provider", "2  Anna registers", "← 201", "registered once",
                "4 attempts are left", "swk and pin", "5  Anna plugs in a security key",
                "POST /registration/passkeys", "the key said who she is", "GET /userinfo",
                "It gets weather and no more",
                "DELETE /registration/account",
                "Nobody is there", "all that it kept is gone",
            ] { #expect(outcome.output.contains(part), "\(part)") }
            #expect(!outcome.output.contains("\u{1B}["), "colours in a pipe")
            // A signed token begins so; what is shown of one is no more than that.
            let tokens = outcome.output.split(whereSeparator: \.isWhitespace).filter {
                $0.hasPrefix("eyJ") && $0.count > 20
            }
            #expect(tokens.isEmpty)
            let left = try FileManager.default.contentsOfDirectory(atPath: place.url.path())
                .filter { $0.hasPrefix("gatehouse-tour") }
            #expect(left.isEmpty)
        }
    }
}
