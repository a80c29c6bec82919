// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import CommandLineSupport

@Suite struct CommandExitTextTests {
    @Test("On a narrow terminal sentences break between words, and addresses stay whole")
    func narrow() {
        let text = "gatehouse: no agent answers here; start it with: gatehouse agent run"
        #expect(
            CommandExit.rows(text, columns: 40)
                == "gatehouse: no agent answers here; start\nit with: gatehouse agent run")
        #expect(CommandExit.rows(text, columns: .max) == text)
        let address = "gatehouse: ask https://identity.example.com/a/very/long/path for more"
        #expect(CommandExit.rows(address, columns: 30) == address)
        let laid = "usage: it\n  an option that has its place already, and keeps it"
        #expect(CommandExit.rows(laid, columns: 20) == laid)
    }
}
