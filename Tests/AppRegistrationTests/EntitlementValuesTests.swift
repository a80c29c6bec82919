// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import JOSE
import Testing

@Suite struct EntitlementValuesTests {
    @Test("Flags and amounts are read, and written in order of name")
    func roundTrip() throws {
        let read = try EntitlementValues(["vaults": 10, "export": true, "a.b:c_d-1": 0])
        #expect(JSONValue.object(read.json).text == #"{"a.b:c_d-1":0,"export":true,"vaults":10}"#)
    }

    @Test("What is a person's own counts over the set")
    func overlaid() throws {
        let set = try EntitlementValues(["vaults": 10, "export": true])
        let own = try EntitlementValues(["vaults": 25, "beta": true])
        #expect(
            try set.overlaid(by: own)
                == EntitlementValues(["vaults": 25, "export": true, "beta": true]))
    }

    @Test(
        "Values that are neither, and names beyond the limits",
        arguments: [
            (["a": -1], .value("a")), (["a": 1.5], .value("a")), (["a": "1"], .value("a")),
            (["a": .null], .value("a")), (["a": .integer(9_007_199_254_740_992)], .value("a")),
            (["": 1], .name("")), (["ä": 1], .name("ä")), (["a b": 1], .name("a b")),
        ] as [([String: JSONValue], EntitlementValues.ParseError)])
    func mistakes(members: [String: JSONValue], mistake: EntitlementValues.ParseError) {
        let object = JSONObject(members.map { .init(name: $0.key, value: $0.value) })
        #expect(throws: mistake) { try EntitlementValues(object) }
    }

    @Test("At most two hundred")
    func many() {
        let object = JSONObject((0...200).map { .init(name: "e\($0)", value: true) })
        #expect(throws: EntitlementValues.ParseError.tooMany) { try EntitlementValues(object) }
    }
}

extension EntitlementValues {
    fileprivate init(_ members: KeyValuePairs<String, JSONValue>) throws(ParseError) {
        try self.init(JSONObject(members.map { .init(name: $0.key, value: $0.value) }))
    }
}
