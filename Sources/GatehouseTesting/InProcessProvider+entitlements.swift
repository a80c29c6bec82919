// SPDX-License-Identifier: Apache-2.0
public import GatehouseClient
import JOSE
import Primitives
import ProviderCore
import Storage

/// What an administrator does to entitlements.
extension InProcessProvider {
    /// One set of a sequence, and how long it lasts.
    public struct EntitlementStep: Sendable {
        let set: String
        let lasting: Duration?

        /// - Parameters:
        ///   - set: Name of the entitlement set.
        ///   - lasting: The duration; `nil` for no end, which only the last set may have.
        public init(_ set: String, lasting: Duration? = nil) {
            (self.set, self.lasting) = (set, lasting)
        }
    }

    /// Makes a set of that name, or replaces what is in it.
    public func saveEntitlements(
        _ values: [String: GatehouseClient.Entitlements.Value], named name: String
    ) async throws {
        try await provider.store.entitlements.save(
            EntitlementSet(
                project: try await projectID(), name: name, entitlements: Self.text(values),
                createdAt: provider.clock.now))
    }

    /// Makes a sequence of sets that are there.
    public func saveEntitlements(
        inSequence steps: [EntitlementStep], named name: String
    ) async throws {
        let sequence = EntitlementSequence(
            project: try await projectID(), name: name,
            steps: steps.map { step in
                .init(set: step.set, duration: step.lasting.map { $0.components.seconds })
            }, createdAt: provider.clock.now)
        guard try await provider.store.entitlements.save(sequence) else {
            throw OperationError(reason: "a set of the sequence is not there")
        }
    }

    /// Replaces the person's set and individual entitlements. The previous ones end.
    public func assignEntitlements(
        _ userID: String, set: String? = nil,
        own: [String: GatehouseClient.Entitlements.Value] = [:]
    ) async throws {
        let outcome = try await provider.store.entitlements.setEntitlements(
            of: try person(userID), to: .init(set: set ?? "", explicit: Self.text(own)), over: nil,
            now: provider.clock.now)
        guard outcome == .assigned else {
            throw OperationError(reason: "no such person, or no such set")
        }
    }

    /// Starts a sequence for the person, and replaces the individual entitlements.
    public func assignEntitlements(
        _ userID: String, sequence: String,
        own: [String: GatehouseClient.Entitlements.Value] = [:]
    ) async throws {
        let outcome = try await provider.store.entitlements.setEntitlements(
            of: try person(userID), to: .init(sequence: sequence, explicit: Self.text(own)),
            over: nil,
            now: provider.clock.now)
        guard outcome == .assigned else {
            throw OperationError(reason: "no such person, or no such sequence")
        }
    }

    /// Adds amounts to the person's expendable entitlements.
    public func refill(_ userID: String, _ amounts: [String: Int64]) async throws {
        let now = provider.clock.now
        let event = provider.audit.prepare(
            AuditEventDraft("refill", in: try await projectID(), facts: Self.facts(clock)))
        let outcome = try await provider.store.entitlements.changeExpendables(
            ExpendableChange(
                person: try person(userID), request: provider.random.bytes(16), amounts: amounts,
                at: now, rememberedUntil: now + .days(1)), recording: event)
        guard case .changed = outcome else { throw OperationError(reason: "\(outcome)") }
    }

    private func projectID() async throws -> Identifier<Project> {
        guard let tenant = try await provider.tenant(named: "default") else {
            throw OperationError(reason: "no project")
        }
        return tenant.project.id
    }

    private func person(_ userID: String) throws -> Identifier<Person> {
        guard let person = Identifier<Person>(userID) else {
            throw OperationError(reason: "\(userID) is no user")
        }
        return person
    }

    private static func text(_ values: [String: GatehouseClient.Entitlements.Value]) -> String {
        var object = JSONObject()
        for (name, value) in values {
            object[name] =
                switch value {
                case .flag(let flag): .bool(flag)
                case .amount(let amount): .integer(amount)
                }
        }
        return JSONValue.object(object).text
    }
}
