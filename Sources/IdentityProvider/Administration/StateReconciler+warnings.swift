// SPDX-License-Identifier: Apache-2.0
import AppRegistration
package import Storage

extension StateReconciler {
    /// The step, with what it does to people besides: who came with a test key signs in no more
    /// where those are not believed any longer.
    func warned(_ step: StateStep, of old: Project?) async throws -> StateStep {
        guard case .project(let new, _) = step.write, let old, old.believesTestKeys,
            !new.believesTestKeys
        else { return step }
        let count = try await store.testPeople(of: old)
        guard count > 0 else { return step }
        var step = step
        step.change.warnings.append(
            "\(count) \(count == 1 ? "person" : "people") of test keys will be refused from then "
                + "on, and what their apps were given ends. `admin test-keys sweep` removes them.")
        return step
    }
}

extension InstallationStore {
    /// How many people test keys have made.
    package func testPeople(of project: Project) async throws -> Int64 {
        try await countPeople(of: project.id, origin: RegistrationMethod.testKey.rawValue)
    }
}
