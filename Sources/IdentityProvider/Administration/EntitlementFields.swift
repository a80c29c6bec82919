// SPDX-License-Identifier: Apache-2.0
import AppRegistration
package import JOSE
package import Storage

/// The keys of entries in `entitlement_sets` and `entitlement_sequences`, beside `name`.
package enum EntitlementFields {
    static let set: [RecordField<EntitlementSet>] = [
        RecordField(name: "entitlements") {
            .object(Entitlements(stored: $0.entitlements).json)
        } write: { value, set in
            guard let object = value.object else {
                return "is \(value.kind); it must be a mapping of names to values"
            }
            do throws(Entitlements.Mistake) {
                set.entitlements = try Entitlements(object).text
                return nil
            } catch {
                return error.message
            }
        }
    ]

    static let sequence: [RecordField<EntitlementSequence>] = [
        RecordField(name: "steps") {
            .array($0.steps.map(json))
        } write: { value, sequence in
            switch steps(value) {
            case .success(let steps):
                sequence.steps = steps
                return nil
            case .failure(let complaint): return complaint.message
            }
        }
    ]

    static let name: TextRule = { name in
        Entitlements.isName(name) ? nil : "is no name: 1 to 128 ASCII letters, digits and . _ : -"
    }

    package struct Complaint: Error {
        package var message: String
    }

    /// `[{"set": NAME, "duration": SECONDS}, …, {"set": NAME}]`
    package static func steps(
        _ value: JSONValue?
    ) -> Result<[EntitlementSequence.Step], Complaint> {
        guard let elements = value?.array,
            (1...EntitlementSequence.mostSteps).contains(elements.count)
        else { return refuse("must be a list of 1 to \(EntitlementSequence.mostSteps) steps") }
        var steps: [EntitlementSequence.Step] = []
        for (index, element) in elements.enumerated() {
            guard let object = element.object, let set = object["set"]?.string,
                Entitlements.isName(set),
                object.members.allSatisfy({ ["set", "duration"].contains($0.name) })
            else { return refuse("holds a step that is not {set: NAME, duration: SECONDS}") }
            let duration = object["duration"] ?? .null
            if duration == .null {
                guard index == elements.count - 1 else {
                    return refuse("has a step without duration that is not the last")
                }
                steps.append(.init(set: set, duration: nil))
                continue
            }
            guard let seconds = duration.integer,
                (1...EntitlementSequence.longestStep).contains(seconds)
            else {
                return refuse(
                    "has a duration that is not a number of seconds from 1 to "
                        + "\(EntitlementSequence.longestStep)")
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

    private static func refuse<Value>(_ message: String) -> Result<Value, Complaint> {
        .failure(Complaint(message: message))
    }
}
