// SPDX-License-Identifier: Apache-2.0
import JOSE
import PIN
import Primitives

/// JSON responses as a device reads them.
enum PINVectorResponses {
    static let topic = VectorTopic(name: "responses", make: make, run: run)

    private static let good = [
        #"{"code":"accepted"}"#, #"{"code":"accepted","access_token":"a","status":200}"#,
        #"{"code":"refused"}"#, #"{"code":"delivery","statement":"a.b.c"}"#,
        #"{"code":"version","statement":"a.b.c"}"#, #"{"code":"ended","statement":"a.b.c"}"#,
        #"{"code":"wrong_pin","attempts":{"limit":5,"used":2,"remaining":3}}"#,
    ]

    private static let bad = [
        ("a response is JSON", "<html>"), ("a response is not empty", ""),
        ("a response has a code", "{}"), ("codes are lower case", #"{"code":"ACCEPTED"}"#),
        ("a code is text", #"{"code":1}"#), ("codes are known", #"{"code":"ok"}"#),
        ("a delivery has a statement", #"{"code":"delivery"}"#),
        ("an end has a statement", #"{"code":"ended","statement":true}"#),
        ("a wrong PIN has attempts", #"{"code":"wrong_pin"}"#),
        (
            "remaining is limit less used",
            #"{"code":"wrong_pin","attempts":{"limit":5,"used":2,"remaining":4}}"#
        ),
        (
            "0 does not mean unlimited",
            #"{"code":"wrong_pin","attempts":{"limit":0,"used":0,"remaining":0}}"#
        ),
        (
            "there are at most 10 attempts",
            #"{"code":"wrong_pin","attempts":{"limit":11,"used":2,"remaining":9}}"#
        ),
        (
            "attempts are not negative",
            #"{"code":"wrong_pin","attempts":{"limit":5,"used":-1,"remaining":6}}"#
        ),
        (
            "no more attempts are used than there are",
            #"{"code":"wrong_pin","attempts":{"limit":5,"used":6,"remaining":-1}}"#
        ),
    ]

    private static func make() async throws -> [VectorCase] {
        (good.map { ("unknown members are ignored", $0) } + bad).map { rule, text in
            VectorCase(rule, "read", input: .string(text), expect: read(text))
        }
    }

    private static func run(_ one: VectorCase) async throws -> VectorVerdict {
        .comparing(read(one.input?.string ?? ""), one.expect)
    }

    private static func read(_ text: String) -> JSONObject {
        guard let answer = PINResponse(json: Array(text.utf8)) else {
            return .refused("no_response")
        }
        return .accepted([("members", .object(JSONObject(answer.members)))])
    }
}
