// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth
import Testing

@Suite struct ClaimsRequestTests {
    @Test("the example of OpenID Connect Core section 5.5 is read")
    func example() throws {
        let text = """
            {"userinfo": {"given_name": {"essential": true}, "nickname": null,
              "email": {"essential": true}, "http://example.info/claims/groups": null},
             "id_token": {"auth_time": {"essential": true},
              "acr": {"values": ["urn:mace:incommon:iap:silver"]}}}
            """
        let request = try #require(ClaimsRequest(text))
        #expect(
            request.userInfo.map(\.name)
                == ["given_name", "nickname", "email", "http://example.info/claims/groups"])
        #expect(request.idToken.last == .init("acr", values: ["urn:mace:incommon:iap:silver"]))
        #expect(ClaimsRequest(request.text) == request)
    }

    @Test("nothing asked for is the empty text")
    func empty() {
        for text in ["{}", #"{"other":1}"#, #"{"userinfo":null}"#, #"{"id_token":{}}"#] {
            #expect(ClaimsRequest(text)?.isEmpty == true && ClaimsRequest(text)?.text == "")
        }
    }

    @Test(
        "anything else is refused",
        arguments: [
            "", "x", "[]", "null", "{}{}", #"{"userinfo":1}"#, #"{"userinfo":[]}"#,
            #"{"id_token":{"a":1}}"#, #"{"id_token":{"a":"b"}}"#,
            #"{"id_token":{"a":{"essential":"yes"}}}"#, #"{"id_token":{"a":{"values":"b"}}}"#,
            #"{"id_token":{"a":{"values":[]}}}"#,
            #"{"id_token":{"a":{"value":1,"values":[1]}}}"#, #"{"id_token":{"a":null,"a":null}}"#,
            "{\"x\":\"" + String(repeating: "a", count: 8192) + "\"}",
            "{\"id_token\":{\"a\":{\"values\":[" + String(repeating: "1,", count: 32) + "1]}}}",
        ])
    func refused(_ text: String) { #expect(ClaimsRequest(text) == nil) }

    @Test("a value is accepted when it is among those wanted, or any will do")
    func accepts() {
        #expect(ClaimsRequest.Member("a").accepts("x"))
        #expect(ClaimsRequest.Member("a", values: ["x", 1]).accepts(1))
        #expect(!ClaimsRequest.Member("a", values: ["x"]).accepts("y"))
        #expect(!ClaimsRequest.Member("a", values: ["1"]).accepts(1))
    }
}
