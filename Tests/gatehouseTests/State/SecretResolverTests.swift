// SPDX-License-Identifier: Apache-2.0
import JOSE
import ProviderSettings
import Testing

@testable import gatehouse

@Suite struct SecretResolverTests {
    private func resolve(
        _ value: JSONValue, _ environment: [String: String] = [:]
    ) throws -> JSONValue {
        try SecretResolver(folder: "", environment: { environment[$0] }).resolve(value, at: "")
    }

    @Test("A secret is taken from the environment")
    func variable() throws {
        let value: JSONValue = ["clients": [["client_secret_env": "S"]]]
        #expect(try resolve(value, ["S": "x"]) == ["clients": [["client_secret": "x"]]])
    }

    @Test(
        "An unresolvable reference is refused at its location",
        arguments: [
            JSONValue.object(JSONObject([.init(name: "client_secret_env", value: "S")])),
            .object(JSONObject([.init(name: "password_file", value: "/nowhere/at/all")])),
            .object(JSONObject([.init(name: "password_file", value: 5)])),
            .object(JSONObject([.init(name: "password_file", value: "")])),
        ])
    func nowhere(value: JSONValue) {
        #expect(throws: LocatedValidationIssue.self) { try resolve(["users": [value]]) }
    }

    @Test("A secret that is given twice is refused")
    func twice() {
        #expect(throws: LocatedValidationIssue.self) {
            try resolve(["password": "a", "password_env": "S"], ["S": "b"])
        }
        #expect(throws: LocatedValidationIssue.self) {
            try resolve(["client_secret_env": "S", "client_secret": "a"], ["S": "b"])
        }
    }
}
