// SPDX-License-Identifier: Apache-2.0
import JOSE
import PlatformSSO

extension LoginIdentity {
    var json: JSONValue {
        var object = JSONObject([.init(name: "iss", value: .string(issuer))])
        object["sub"] = subject.map(JSONValue.string)
        object["claim"] = .string(claim)
        object["identifier"] = identifier.map(JSONValue.string)
        return .object(object)
    }

    init?(_ value: JSONValue) {
        guard let issuer = value["iss"]?.string, let claim = value["claim"]?.string else {
            return nil
        }
        self.init(
            issuer: issuer, subject: value["sub"]?.string, claim: claim,
            identifier: value["identifier"]?.string)
    }
}
