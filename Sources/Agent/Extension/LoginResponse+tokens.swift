// SPDX-License-Identifier: Apache-2.0
import JOSE
import PlatformSSO

extension LoginResponse {
    /// What extensions find in `ssoTokens`: everything that apps may have, which the refresh token of
    /// the device is not.
    var tokens: JSONObject {
        var tokens = more
        tokens["id_token"] = .string(idToken)
        tokens["access_token"] = accessToken.map(JSONValue.string)
        tokens["refresh_token"] = nil
        return tokens
    }
}
