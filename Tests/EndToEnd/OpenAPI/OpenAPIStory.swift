// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

extension EndToEnd {
    /// The two OpenAPI documents, taken at their word by schemathesis: thousands of requests made
    /// from them, right ones and wrong ones, and every answer held against what is documented.
    @Suite(
        "What the OpenAPI documents say is so",
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: Repository.schemathesis.path()),
            "needs schemathesis in .venv, of Scripts/bootstrap"))
    struct OpenAPIStory {
        private static let checks = [
            "not_a_server_error", "status_code_conformance", "content_type_conformance",
            "response_schema_conformance", "negative_data_rejection", "ignored_auth",
            "unsupported_method",
        ]

        /// The names of existing resources, so that requests reach the code behind.
        private static let names = """
            [parameters]
            project = "default"
            person = "anna"
            client = "shop"
            """

        private func examine(
            _ server: ServerProcess, _ document: String, _ more: [String], examples: Int = 3,
            environment: [String: String] = [:], name: String
        ) async throws {
            let folder = try TemporaryDirectory()
            _ = try folder.write(Self.names, to: "schemathesis.toml")
            // It leaves its notes where it is started.
            let log = try Repository.outputFile("schemathesis-\(name).log")
            let child = try ChildProcess(
                URL(filePath: "/usr/bin/env"),
                [
                    "-C", folder.file("").path(), Repository.schemathesis.path(), "run",
                    server.issuer + document, "--phases", "coverage,fuzzing",
                    "--max-examples", "\(examples)", "--seed", "1", "--continue-on-failure",
                    "--generation-database", "none", "--no-color", "--checks",
                    Self.checks.joined(separator: ","),
                ] + more, log: log, environment: environment)
            let status = try await child.ended(within: .seconds(600))
            #expect(status == 0, "see \(log.path())")
        }

        @Test("the Admin API")
        func admin() async throws {
            let server = try await ServerProcess("openapi-admin")
            try await server.apply(DeclaredState(users: [DeclaredState.user("anna")]).text)
            let token = try String(
                contentsOfFile: server.dataDirectory + "/admin.token", encoding: .utf8)
            // A new token would end the examination.
            try await examine(
                server, "/admin/v1/openapi.json",
                [
                    "--exclude-operation-id", "rotateToken", "--header",
                    "Authorization: Bearer \(token.trimmingCharacters(in: .newlines))",
                ], name: "admin")
            try await server.stop()
        }

        /// Fewer accepted requests to an operation say that it was hardly looked at.
        private static let leastAccepted = 2

        @Test("registration: with an app behind it, whose right requests reach every operation")
        func registration() async throws {
            let house = try await ExaminedHouse()
            let document = "/registration/openapi.json"
            try await examine(
                house.server, document, [], examples: 4, environment: house.environment,
                name: "registration")
            let accepted = try house.accepted()
            let operations = try await house.operations(of: document)
            #expect(operations.count > 25)
            for operation in operations.sorted() {
                // One message of the PIN protocol: PINTests speak it, no generator does.
                let least = operation == "pin" ? 0 : Self.leastAccepted
                let count = accepted[operation] ?? 0
                #expect(count >= least, "\(operation): \(count) accepted")
            }
            try await house.stop()
        }
    }
}
