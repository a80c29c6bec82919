// SPDX-License-Identifier: Apache-2.0
import ProviderAdministration
import ProviderSettings

/// The settings of a client (RFC 7591 section 2, and others) as fields of a form.
enum ConsoleClientFields {
    /// The fields of the form for a new client.
    static let first =
        [ConsoleField("client_id", "consoleClientID", isRequired: true)]
        + all.filter {
            ["client_name", "token_endpoint_auth_method", "redirect_uris"].contains($0.name)
        }.map { field in
            var field = field
            // The others need keys.
            let methods = ["client_secret_basic", "client_secret_post", "none"]
            if field.name == "token_endpoint_auth_method" { field.kind = .choice(methods) }
            return field
        }

    static let all = StateKey.clientSettings.flatMap { key -> [ConsoleField] in
        var field = ConsoleField(key, in: "clients.")
        switch key.name {
        // The first has one value, and a button sets the second.
        case "response_types", "disabled": return []
        case "access": field.kind = .access
        case "claims": field.kind = .claims
        case "token_endpoint_auth_method":
            return [field, ConsoleField(secret: "client_secret", in: "clients.")]
        default: break
        }
        return [field]
    }
}
