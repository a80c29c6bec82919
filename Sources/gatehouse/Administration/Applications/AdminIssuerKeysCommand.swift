// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import JOSE
import ProviderAdministration

struct AdminIssuerKeysCommand: AsyncParsableCommand, RemovableResource {
    static let command = "issuer-keys"
    static let list = AdministrativeOperation.listIssuerKeys
    static let remove = AdministrativeOperation.removeIssuerKey
    static let parameter = AdministrativeOperation.Parameter.key
    static let columns = ["id", "issuer", "kid", "alg", "audience", "owner"]
    static let listAbstract = "List the issuer keys."
    static let removeAbstract = "Remove an issuer key. People who registered with it are kept."
    static let nameHelp = "The key's id, as `issuer-keys list` shows it."
    static let example = "ID"

    static let configuration = CommandConfiguration(
        commandName: command,
        abstract: "Manage trusted issuer keys for app registration.",
        discussion: """
            Examples:

              gatehouse admin issuer-keys add https://idp.example --kid k1 --alg RS256 \\
                --public-key-file idp.pem
              gatehouse admin issuer-keys list
            """,
        subcommands: [ListResources<Self>.self, Add.self, RemoveResource<Self>.self])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Register a key, or change one of the same issuer and kid.",
            discussion: """
                Example:

                  gatehouse admin issuer-keys add https://idp.example --kid k1 --alg ES256 \\
                    --public-key-file idp.pem --attribute plan
                """)
        @Argument(help: "iss of its tokens.")
        var issuer: String
        @Option(help: "kid of its tokens.")
        var kid: String
        @Option(help: "RS256, ES256, EdDSA or PS256.")
        var alg: String
        @Option(help: "File with the public key, PEM; - is standard input.")
        var publicKeyFile: String
        @Option(help: "aud of its tokens.")
        var audience: String?
        @Flag(help: "Times in the issuer's tokens are in milliseconds.")
        var milliseconds = false
        @Option(help: "A claim that is stored with the person; repeatable.")
        var attribute: [String] = []
        @Option(help: "Purpose.")
        var name: String?
        @Option(help: "Responsible person.")
        var owner: String?
        @OptionGroup var place: ProjectOptions

        func run() async throws {
            var body = JSONObject()
            body["issuer"] = .string(issuer)
            body["kid"] = .string(kid)
            body["alg"] = .string(alg)
            let pem = try DocumentFile.bytes(publicKeyFile)
            body["public_key"] = .string(String(decoding: pem, as: UTF8.self))
            body["audience"] = audience.map(JSONValue.string)
            if milliseconds { body["milliseconds"] = true }
            if !attribute.isEmpty { body["attributes"] = .array(attribute.map(JSONValue.string)) }
            body["name"] = name.map(JSONValue.string)
            body["owner"] = owner.map(JSONValue.string)
            try await place.change(.putIssuerKey, body: .object(body))
        }
    }
}
