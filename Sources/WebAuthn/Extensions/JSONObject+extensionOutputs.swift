// SPDX-License-Identifier: Apache-2.0
import JOSE

extension JSONObject {
    /// Client extension outputs without those that are key material (`prf.results` and what came
    /// before it), so that printing a response cannot print a key.
    var withoutSecrets: JSONObject {
        var outputs = self
        outputs["hmacGetSecret"] = nil
        guard var prf = outputs["prf"]?.object else { return outputs }
        prf["results"] = nil
        outputs["prf"] = .object(prf)
        return outputs
    }
}
