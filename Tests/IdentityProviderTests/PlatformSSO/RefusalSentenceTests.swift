// SPDX-License-Identifier: Apache-2.0
import PlatformSSO
import Testing

@testable import ProviderCore
@testable import ProviderDevices

@Suite struct RefusalSentenceTests {
    @Test("Each refusal of a message has a distinct sentence, which is not its code")
    func sentences() {
        let codes = PlatformSSORefusal.Code.allCases
        let refusals = codes.map { Refusal.platformSSO($0, "private") }
        #expect(Set(refusals.map(\.message)).count == codes.count)
        for refusal in refusals {
            #expect(refusal.message != "The message was not accepted.", "\(refusal.code)")
            #expect(!refusal.message.contains("was refused: \(refusal.code)"), "\(refusal.code)")
            #expect(!refusal.message.contains("private"), "\(refusal.code)")
        }
    }
}
