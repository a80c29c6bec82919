// SPDX-License-Identifier: Apache-2.0
import ProviderCore
import Testing

@Suite("The access token of a request")
struct PresentedAccessTokenTests {
    @Test("Both schemes are read, in any case")
    func schemes() {
        for value in ["Bearer t.1", "bearer t.1", "BEARER t.1"] {
            #expect(PresentedAccessToken(authorization: value)?.scheme == .bearer)
            #expect(PresentedAccessToken.bearer(authorization: value) == "t.1")
        }
        let bound = PresentedAccessToken(authorization: "DPoP t.1")
        #expect(bound?.scheme == .dpop && bound?.text == "t.1")
        #expect(PresentedAccessToken.bearer(authorization: "DPoP t.1") == nil)
    }

    @Test(
        "Other values are refused",
        arguments: [
            nil, "", "Bearer", "Bearer ", "t.1", "Basic dDox", "Bearer\tt.1", "BearerX t.1",
        ])
    func refusals(value: String?) {
        #expect(PresentedAccessToken(authorization: value) == nil)
        #expect(PresentedAccessToken.bearer(authorization: value) == nil)
    }

    @Test("A value of the greatest length is read, a longer one is refused")
    func limit() {
        let value = "Bearer " + String(repeating: "t", count: 505)
        #expect(PresentedAccessToken.bearer(authorization: value, maximumBytes: 512) != nil)
        #expect(PresentedAccessToken.bearer(authorization: value + "t", maximumBytes: 512) == nil)
        #expect(PresentedAccessToken(authorization: value + "t") != nil)
        let long = "Bearer " + String(repeating: "t", count: 16_384)
        #expect(PresentedAccessToken(authorization: long) == nil)
    }
}
