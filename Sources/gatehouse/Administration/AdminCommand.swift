// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport

struct AdminCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "admin",
        abstract: "Administer a provider: projects, people, clients, keys, audit log and more.",
        discussion: """
            Examples:

              gatehouse admin people list
              gatehouse admin people create anna --email anna@example.com --password-file secret
              gatehouse admin audit --since 1h --outcome refused
            """,
        subcommands: [
            AdminAuditCommand.self, AdminPeopleCommand.self, AdminGroupsCommand.self,
            AdminClientsCommand.self,
            AdminProjectsCommand.self, AdminIssuerKeysCommand.self, AdminTestKeysCommand.self,
            AdminIdentityProvidersCommand.self, AdminCustomProvidersCommand.self,
            AdminAttestationCommand.self, AdminFingerprintsCommand.self,
            AdminApplicationsCommand.self, AdminSystemsCommand.self, AdminPINPolicyCommand.self,
            AdminPolicyCommand.self,
            AdminEntitlementsCommand.self, AdminApprovalsCommand.self, AdminDevicesCommand.self,
            AdminRegistrationTokensCommand.self, AdminAPITokensCommand.self,
            AdminTokenCommand.self, AdminStoreCommand.self, AdminConsoleCommand.self,
            AdminSetUpLinkCommand.self,
        ])
}

extension String {
    var withoutLastLineFeed: String { hasSuffix("\n") ? String(dropLast()) : self }
}
