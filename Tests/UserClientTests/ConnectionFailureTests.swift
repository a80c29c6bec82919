// SPDX-License-Identifier: Apache-2.0
import Testing
import UserClient

@Suite struct ConnectionFailureTests {
    @Test("Nobody listens: the system's words, and no type's name")
    func refused() async {
        do {
            _ = try await WebClient().send("GET", "http://127.0.0.1:1/")
            Issue.record("somebody answered")
        } catch {
            #expect(ConnectionFailure.words(for: error) == "Connection refused")
        }
    }

    @Test(
        "Limits are told in words",
        arguments: [
            (WebClient.TooSlow() as any Error, "no answer in time"),
            (WebClient.TooLong() as any Error, "the answer is too long"),
        ])
    func limits(_ error: any Error, _ words: String) {
        #expect(ConnectionFailure.words(for: error) == words)
    }
}
