// SPDX-License-Identifier: Apache-2.0
import AppRegistration
package import JOSE
import ProviderPeople
package import ProviderSettings
package import Storage

/// The keys of entries in `entitlement_sets` and `entitlement_sequences`, except `name`.
package enum EntitlementFields {
    package static let set: [RecordField<EntitlementSet>] = [
        RecordField(name: "entitlements", .ordinary) {
            .object(EntitlementValues(stored: $0.entitlements).json)
        } write: { value, set in
            guard let object = value.object else {
                return .wrongKind(value, wanted: .wordNamedValues)
            }
            do throws(EntitlementValues.ParseError) {
                set.entitlements = try EntitlementValues(object).text
                return nil
            } catch {
                return error.complaint
            }
        }
    ]

    package static let sequence: [RecordField<EntitlementSequence>] = [
        RecordField(
            name: "steps", .ordinary, kinds: ["array"],
            members: [
                StateKey("set", "string", isNeeded: true), StateKey("duration", "integer"),
            ]
        ) {
            .array($0.steps.map(json))
        } write: { value, sequence in
            switch steps(value) {
            case .success(let steps):
                sequence.steps = steps
                return nil
            case .failure(let complaint): return complaint
            }
        }
    ]

    package static let name: TextRule = { name in
        EntitlementValues.isName(name) ? nil : ValidationIssue(.notEntitlementName)
    }

    /// Parses `[{"set": NAME, "duration": SECONDS}, …, {"set": NAME}]`.
    package static func steps(
        _ value: JSONValue?
    ) -> Result<[EntitlementSequence.Step], ValidationIssue> {
        guard let elements = value?.array,
            (1...EntitlementSequence.maximumSteps).contains(elements.count)
        else {
            return .failure(
                ValidationIssue(.notSteps, ["most": "\(EntitlementSequence.maximumSteps)"]))
        }
        var steps: [EntitlementSequence.Step] = []
        for (index, element) in elements.enumerated() {
            guard let object = element.object, let set = object["set"]?.string,
                EntitlementValues.isName(set),
                object.members.allSatisfy({ ["set", "duration"].contains($0.name) })
            else { return .failure(ValidationIssue(.notStep)) }
            let duration = object["duration"] ?? .null
            if duration == .null {
                guard index == elements.count - 1 else {
                    return .failure(ValidationIssue(.stepWithoutEnd))
                }
                steps.append(.init(set: set, duration: nil))
                continue
            }
            guard let seconds = duration.integer,
                (1...EntitlementSequence.maximumStepDuration).contains(seconds)
            else {
                return .failure(
                    ValidationIssue(
                        .notDuration, ["most": "\(EntitlementSequence.maximumStepDuration)"]))
            }
            steps.append(.init(set: set, duration: seconds))
        }
        return .success(steps)
    }

    package static func json(_ step: EntitlementSequence.Step) -> JSONValue {
        var object = JSONObject()
        object["set"] = .string(step.set)
        object["duration"] = step.duration.map(JSONValue.integer)
        return .object(object)
    }
}
