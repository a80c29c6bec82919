// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Storage

/// A part of a project's rules that is shown and changed by itself: the Admin API and the console
/// change it without having to know the rest, and two people who change two parts at the same
/// moment both get what they wanted.
///
/// Reading, checking and comparing use the tables of ``RecordField``, as state documents do.
package struct ProjectPart: Sendable {
    /// What is wrong with a value, or nothing.
    typealias Write = @Sendable (JSONValue, inout Project) -> StateProblem?

    /// Where it stands in a state document: `registration.pin`.
    package let name: String
    package let read: @Sendable (Project) -> JSONObject
    let write: Write

    /// - Parameters:
    ///   - blank: what is not mentioned takes its default; `nil`: it stays as it is.
    init<Part>(
        _ name: String, _ path: any (WritableKeyPath<Project, Part> & Sendable),
        fields: [RecordField<Part>], blank: (@Sendable () -> Part)? = nil,
        complaint: @escaping @Sendable (Part) -> String? = { _ in nil }
    ) {
        self.name = name
        read = { RecordField.object(fields, of: $0[keyPath: path]) }
        write = { value, project in
            var cursor = StateCursor()
            var part = blank?() ?? project[keyPath: path]
            guard let object = cursor.object(value, at: "") else { return cursor.problems.first }
            cursor.read(object, at: "", into: &part, fields: fields)
            if let problem = cursor.problems.first { return problem }
            if let message = complaint(part) { return StateProblem(path: "", message: message) }
            project[keyPath: path] = part
            return nil
        }
    }
}

extension ProjectPart {
    package static let pin = ProjectPart(
        "registration.pin", \.policy.registration.pin, fields: PINFields.rules,
        complaint: PINFields.complaint)

    /// By which methods apps register, and a few switches.
    package static let registration = ProjectPart(
        "registration", \.policy.registration,
        fields: RegistrationFields.policy.filter {
            [
                "methods", "test_keys_in_production", "federated_deregistration",
                "second_installations",
            ].contains($0.name)
        })

    /// Whether only listed apps may register.
    package static let versions = ProjectPart(
        "registration", \.policy.registration,
        fields: RegistrationFields.policy.filter { $0.name == "listed_applications_only" })

    /// What is believed of apps on Apple's systems, but for the keys.
    package static let apple = ProjectPart(
        "registration.apple", \.policy.registration.apple, fields: AttestedAppFields.apple)

    /// Likewise on Android, but for the apps themselves: see ``ProjectList/fingerprints``.
    package static let android = ProjectPart(
        "registration.android", \.policy.registration.android,
        fields: AttestedAppFields.android.filter { $0.name != "applications" })
}
