// SPDX-License-Identifier: Apache-2.0
import Primitives
import ProviderPeople
import ProviderSettings
import Storage

/// One step from the current to the desired state: the change and the record to write.
struct StateStep: Sendable {
    enum Write: Sendable {
        case none
        /// - Parameter over: the record that was read; `nil` for a new one.
        case project(Project, over: Project?)
        case client(Client, over: Client?)
        case issuerKey(IssuerKey, over: IssuerKey?)
        case entitlementSet(EntitlementSet, over: EntitlementSet?)
        case entitlementSequence(EntitlementSequence, over: EntitlementSequence?)
        case upstreamProvider(UpstreamProvider, over: UpstreamProvider?)
        case administrator(Administrator)
        case createPerson(Person, password: NewPassword?)
        case updatePerson(FieldEdit<Person>, password: NewPassword?)
    }

    var change: StateChange
    var write: Write = .none
    /// The changed settings that can enable impersonation.
    var impersonating: [String] = []
}

extension StateStep {
    /// A password that an administrator sets is validated like one that a person chooses.
    func complaintAboutPassword(in project: Project) -> LocatedValidationIssue? {
        let (person, password): (Person, NewPassword?)
        switch write {
        case .createPerson(let new, let set): (person, password) = (new, set)
        case .updatePerson(let edit, let set): (person, password) = (edit.new, set)
        default: return nil
        }
        return password.flatMap {
            PasswordValidator.complaint(about: $0.secret, for: person, in: project)
        }.map { LocatedValidationIssue(path: "\(person.username).password", $0) }
    }
}
