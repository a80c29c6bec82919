// SPDX-License-Identifier: Apache-2.0
import JOSE
import Testing

@testable import gatehouse

/// What administrators type for entitlements and claims.
@Suite struct EntitlementTextTests {
    @Test(
        "A step is a set, alone or with its time",
        arguments: [
            ("basic", ["set": "basic"]), ("gold=30d", ["set": "gold", "duration": 2_592_000]),
            ("gold=12h", ["set": "gold", "duration": 43_200]),
            ("gold=90m", ["set": "gold", "duration": 5400]),
            ("gold=45s", ["set": "gold", "duration": 45]),
        ] as [(String, JSONValue)])
    func steps(typed: String, value: JSONValue) {
        #expect(SequenceStepText(argument: typed)?.value == value)
    }

    @Test(
        "What is no step is none",
        arguments: [
            "", "=30d", "gold=", "gold=30", "gold=d", "gold=0d", "gold=-1d", "gold=1w",
            "gold=1d=2d", "gold=99999999999999999999d", "gold=9223372036854775807d",
        ])
    func noSteps(typed: String) {
        #expect(SequenceStepText(argument: typed) == nil)
    }

    @Test("A claim has two names")
    func claims() {
        let claim = ClaimText(argument: "username=preferred=x")
        #expect(claim?.ours == "username" && claim?.theirs == "preferred=x")
        for typed in ["username", "=x", "x=", "="] {
            #expect(ClaimText(argument: typed) == nil)
        }
    }
}
