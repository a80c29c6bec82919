// SPDX-License-Identifier: Apache-2.0
import JOSE

extension JSONObject {
    /// Client extension outputs without key material (`prf.results` and its predecessors), so that
    /// the description of a response does not contain a key.
    var withoutSecrets: JSONObject {
        var outputs = self
        outputs["hmacGetSecret"] = nil
        guard var prf = outputs["prf"]?.object else { return outputs }
        prf["results"] = nil
        outputs["prf"] = .object(prf)
        return outputs
    }
}
