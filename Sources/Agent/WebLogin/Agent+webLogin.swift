// SPDX-License-Identifier: Apache-2.0
import PlatformSSO
import Primitives
import SingleSignOn

extension Agent {
    /// How long somebody may take on a page.
    private static let pagePatience = Duration.seconds(600)

    /// Where that person signs in on a page; `none` where they do not.
    func webLoginType(_ login: LoginConfiguration, of person: String) -> FederationType {
        login.webLoginType(isPage: policy(of: person).usesPage)
    }

    func webLogin(
        _ client: ProviderClient, _ user: UserLoginConfiguration, of person: String,
        _ conversation: any AgentConversation
    ) async throws -> VerifiedLogin {
        let page = WebLogin(
            client, user, webLoginType(client.configuration, of: person),
            hosts: configuration(for: person)?.platformSSO?.webLoginURLAllowList ?? [])
        let callback = try await page.run(conversation, patience: Self.pagePatience)
        return try await client.signIn(user, webLogin: callback, groups: policy(of: person).groups)
    }
}
