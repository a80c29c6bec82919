// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import Storage

/// What an app with the SDK has to know of its provider, as the file that it reads:
/// `ClientConfiguration(json:)` of `GatehouseClient`.
struct ConsoleAppConfiguration: Sendable {
    let issuer: String
    let client: Client

    /// `nil` for a client that keeps a secret: an app keeps none.
    var file: JSONObject? {
        guard client.metadata.tokenEndpointAuthMethod == "none" else { return nil }
        var file = JSONObject()
        file["issuer"] = .string(issuer)
        file["client_id"] = .string(client.clientID)
        file["redirect_uri"] = redirectURI.map(JSONValue.string)
        return file
    }

    /// The redirect URI that the system opens in the app. A loopback URI is not written: the app
    /// that listens chooses it (RFC 8252 section 7.3).
    private var redirectURI: String? {
        client.metadata.redirectURIs.first { !$0.hasPrefix("http://") }
    }

    func section(_ console: ConsoleContext) -> ConsoleSection? {
        guard let file else { return nil }
        let bytes = JSONValue.object(file).bytes
        let url = "data:application/json;base64,\(Base64.encode(bytes))"
        return ConsoleSection(
            title: console.text("consoleAppConfiguration"),
            hint: console.text("consoleAppConfigurationHint"),
            secret: ConsoleSecret(
                label: "ClientConfiguration", text: JSONValue.object(file).text,
                file: (name: "gatehouse-client.json", url: url)))
    }
}
