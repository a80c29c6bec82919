// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import Documents
import JOSE
import ProviderAdministration

struct AdminProjectsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "projects",
        abstract: "Manage projects: tenants with their own people, clients and keys.",
        discussion: """
            Example:

              gatehouse admin projects create qa --environment development
              gatehouse admin projects change qa --environment production
            """,
        subcommands: [List.self, Show.self, Create.self, Change.self, Remove.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List projects.",
            discussion: "Example: gatehouse admin projects list")
        @OptionGroup var provider: ProviderOptions

        func run() async throws {
            try await provider.list(
                .listProjects, columns: ["name", "environment", "created_at"])
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show a project with its settings, without clients and people.",
            discussion: "Example: gatehouse admin projects show qa")
        @Argument(help: "Name of the project.")
        var name: String
        @OptionGroup var provider: ProviderOptions

        func run() async throws {
            try await provider.show(.showProject, [.project: name])
        }
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create", abstract: "Create a project.",
            discussion: "Example: gatehouse admin projects create qa --environment development")
        @Argument(help: "Characters a-z, 0-9 and hyphens.")
        var name: String
        @Option(help: "development or production.")
        var environment = "production"
        @OptionGroup var provider: ProviderOptions

        func run() async throws {
            let answer = try await provider.server.administer {
                try await $0.make(
                    "project \(name)", by: .putProject, [.project: name],
                    ["environment": .string(environment)])
            }
            provider.report(answer)
        }
    }

    struct Change: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "change", abstract: "Change the environment of a project.",
            discussion: "Example: gatehouse admin projects change qa --environment production")
        @Argument(help: "Name of the project.")
        var name: String
        @Option(help: "development or production.")
        var environment: String
        @OptionGroup var provider: ProviderOptions

        func run() async throws {
            let answer = try await provider.server.administer { connection in
                // A slip of the finger makes nothing.
                _ = try await connection.call(.showProject, [.project: name])
                return try await connection.call(
                    .putProject, [.project: name], body: ["environment": .string(environment)])
            }
            provider.report(answer)
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove a project and everything in it.",
            discussion: "Example: gatehouse admin projects remove qa --force")
        @Argument(help: "Name of the project.")
        var name: String
        @Flag(help: "Confirm: deletes people, clients and keys of the project permanently.")
        var force = false
        @OptionGroup var provider: ProviderOptions

        func run() async throws {
            guard force else {
                throw CommandError(
                    "this removes everything in project \(name) for good; add --force to do it",
                    code: .badInput)
            }
            try await provider.change(.removeProject, [.project: name])
        }
    }
}
