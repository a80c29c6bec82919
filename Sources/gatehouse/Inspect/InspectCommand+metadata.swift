// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import JOSE
import Primitives
import WebAuthn

extension InspectCommand {
    /// `gatehouse inspect metadata`: a metadata BLOB (FIDO MDS3) → who signed it, its entries, and
    /// what is wrong. The policy is that of the settings `metadata-…` of `serve`.
    struct Metadata: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "metadata",
            abstract: "Verify metadata of authenticators (FIDO MDS3), and list it.",
            discussion: """
                Input: the BLOB itself, a compact JWS. It is verified as serve verifies it: the
                signature, its chain to a root of --root, the name of the signer, revocation lists,
                and how long the next one is overdue. The value has the number, nextUpdate, the
                certificates, and per model the status reports, why the provider would register
                none, and warnings; also of a BLOB that is refused, then with "verified":false. With
                --batch: {"blob":text} per line.

                Example: gatehouse inspect metadata --root globalsign-r3.pem blob.jwt
                """)
        @Option(
            help: "Trusted certificates, PEM or DER; required to accept anything.")
        var root: String?
        @Option(help: "The name in the signing certificate; any name for a root of your own.")
        var signer = "mds.fidoalliance.org"
        @Option(help: "A revocation list of those certificates, PEM or DER; may be repeated.")
        var crl: [String] = []
        @Flag(help: "Refuse certificates that no current list covers.")
        var crlRequired = false
        @Option(help: "How many days the next one may be overdue.")
        var graceDays: Int64 = 30
        @Option(
            help:
                "The time of the verification, as 2026-11-23T12:00:00Z or 2026-11-23; now if absent."
        )
        var at: String?
        @OptionGroup var options: Options

        func run() async throws {
            let inspection = try inspection()
            try await options.run(
                { input in
                    guard let text = input["blob"]?.string else {
                        return Verdict.badInput("\"blob\" must be the text of a metadata BLOB").json
                    }
                    return await inspection.verdict(on: Array(text.utf8))
                },
                whole: { await inspection.verdict(on: $0) },
                limit: MetadataBlobVerifier.maximumBytes)
        }

        /// - Throws: ``CommandError`` for files and times that cannot be read.
        func inspection() throws -> MetadataInspection {
            guard 0...3650 ~= graceDays else {
                throw CommandError("--grace-days must be a number from 0 to 3650", code: .badInput)
            }
            let verifier = try root.map { root in
                var settings = ServeConfiguration.Metadata(place: "", roots: root, signer: signer)
                settings.revocationLists = crl
                settings.needsRevocationLists = crlRequired
                settings.grace = .days(graceDays)
                return try MetadataSource.verifier(settings)
            }
            return MetadataInspection(verifier, now: try moment())
        }

        private func moment() throws -> Timestamp {
            guard let at else { return SystemWallClock().now }
            guard let time = Timestamp(rfc3339: at) ?? Timestamp(rfc3339: "\(at)T00:00:00Z") else {
                throw CommandError(
                    "--at is a time as 2026-11-23T12:00:00Z, or a day as 2026-11-23",
                    code: .badInput)
            }
            return time
        }
    }
}
