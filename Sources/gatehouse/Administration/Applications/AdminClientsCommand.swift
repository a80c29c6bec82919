// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import JOSE
import ProviderAdministration

struct AdminClientsCommand: AsyncParsableCommand, UpdatableResource, SearchableResource,
    RemovableResource
{
    static let command = "clients"
    static let list = AdministrativeOperation.listClients
    static let show = AdministrativeOperation.showClient
    static let put = AdministrativeOperation.putClient
    static let remove = AdministrativeOperation.removeClient
    static let parameter = AdministrativeOperation.Parameter.client
    static let columns = ["client_id", "client_name", "token_endpoint_auth_method", "grant_types"]
    static let listAbstract = "List the clients of a project."
    static let showAbstract = "Show a client, without its secret."
    static let removeAbstract = "Remove a client, and revoke its tokens."
    static let nameHelp = "client_id of the client."
    static let example = "shop"
    static let searched = "client_id"
    static let changeAbstract = "Change the given settings of a client. Other settings stay."
    static let changeExample = "client_name=Shop access='{groups: [staff]}'"

    static let configuration = CommandConfiguration(
        commandName: command,
        abstract: "Manage OAuth clients: apps and services that use this provider for sign-in.",
        discussion: """
            Examples:

              gatehouse admin clients create shop --name Shop --redirect-uri https://shop.example.com/cb
              gatehouse admin clients create batch --grant-type client_credentials --scope api
              gatehouse admin clients change shop access='{groups: [staff]}' required_acr=phr
              gatehouse admin clients change shop --file shop.yaml
            """,
        subcommands: [
            SearchResources<Self>.self, ShowResource<Self>.self, Create.self,
            UpdateResource<Self>.self,
            RemoveResource<Self>.self,
        ])

    /// A client is put whole: what is absent goes back to its default.
    static func body(_ changes: JSONObject, of known: JSONObject) -> JSONObject {
        var body = known
        body["created_at"] = nil
        for change in changes.members {
            body[change.name] = change.value == .null ? nil : change.value
        }
        return body
    }
}
