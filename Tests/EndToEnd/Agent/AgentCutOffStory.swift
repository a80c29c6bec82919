// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

extension EndToEndAgent {
    /// The agent is killed in the middle of everything that it does, or loses its provider there: what is done again
    /// succeeds, and nothing is there twice or by half (`peers/platform_sso/agent_cut_off.py`).
    @Suite(
        "The agent, cut off", .enabled(if: Repository.hasPeers, "needs .venv of Scripts/bootstrap"))
    struct AgentCutOffStory {
        enum Way: String, CaseIterable, Sendable {
            /// Killed when the provider has not heard of the request, and never will.
            case before
            /// Killed before it has, which then hears of it all the same.
            case late
            /// Killed when it has, and the answer is on its way.
            case after
            /// The provider does not respond from that request on.
            case away
        }

        /// What is done, and at which of its requests it is cut off.
        enum Deed: String, CaseIterable, Sendable {
            case binding, key, page, unsealing, leaving
            case personLeaving = "person-leaving"
            case migration
            case migrationBack = "migration-back"

            func cuts(_ way: Way) -> [String] {
                switch self {
                case .binding: ["token 1", "key 1"]
                case .key: ["users 1", "token 2"]
                case .page: (way == .away ? [] : ["authorize 1"]) + ["token 1", "key 1"]
                case .unsealing: ["key 1"]
                case .leaving, .personLeaving: ["unregister 1"]
                case .migration: ["devices 1"]
                case .migrationBack: ["devices 1", "unregister 1"]
                }
            }
        }

        private func story(
            _ name: String, _ way: Way, _ more: [String] = [], environment: [String: String] = [:]
        ) async throws -> [String] {
            let folder = try TemporaryDirectory()
            let outcome = try await Command.run(
                Repository.python,
                [
                    Repository.peers.appending(path: "platform_sso/agent_cut_off.py").path(),
                    Repository.gatehouse.path(), name, way.rawValue, folder.url.path(),
                ] + more, environment: environment)
            guard outcome.status == 0 else {
                throw HarnessError("\(outcome.output)\n\(outcome.errors)")
            }
            let checks = try JSON(parsing: Array(outcome.output.utf8))["checks"].array ?? []
            return checks.compactMap(\.string)
        }

        /// How many of them go on at once: each waits for processes most of the time.
        private static let atOnce = 3

        @Test("whatever it does is done in the end, once", arguments: Way.allCases)
        func deeds(way: Way) async throws {
            var waiting = Deed.allCases[...]
            try await withThrowingTaskGroup(of: (Deed, [String]).self) { group in
                func next() {
                    guard let deed = waiting.popFirst() else { return }
                    group.addTask { (deed, try await story(deed.rawValue, way)) }
                }
                for _ in 0..<Self.atOnce { next() }
                for try await (deed, checks) in group {
                    #expect(checks == deed.cuts(way), "\(deed)")
                    next()
                }
            }
        }

        @Test(
            "the same for a smart card", .enabled(if: SoftwareTokens.isInstalled, "needs softhsm2"),
            arguments: Way.allCases)
        func card(way: Way) async throws {
            let tokens = try await SoftwareTokens(["card of anna"])
            let card = try await tokens.addCard(to: "card of anna", name: "anna")
            let folder = try TemporaryDirectory()
            let root = try folder.write(card.root, to: "root.pem")
            let checks = try await story(
                "card", way, [root.path(), SoftwareTokens.module], environment: tokens.environment)
            #expect(checks == ["token 1"])
        }
    }
}
