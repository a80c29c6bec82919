// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// Entitlement sets that follow one another in time: for example a trial month, then the paid plan.
package struct EntitlementSequence: Sendable, Equatable {
    /// One set and its duration.
    package struct Step: Sendable, Equatable {
        package var set: String
        /// Seconds; `nil` for unlimited, which only the last step may have.
        package var duration: Int64?

        package init(set: String, duration: Int64?) {
            self.set = set
            self.duration = duration
        }
    }

    package var project: Identifier<Project>
    /// Unique in the project, apart from the names of sets.
    package var name: String
    package var steps: [Step]
    package var createdAt: Timestamp

    package init(
        project: Identifier<Project>, name: String, steps: [Step], createdAt: Timestamp
    ) {
        self.project = project
        self.name = name
        self.steps = steps
        self.createdAt = createdAt
    }

    /// Longest step, in seconds: ten years.
    package static let maximumStepDuration: Int64 = 3650 * 86_400
    package static let maximumSteps = 50
}

extension [EntitlementSequence.Step] {
    /// Returns the step at `now` of a sequence that began at `start`, and the end of that step.
    ///
    /// The result is `nil` after the last step. If the clock was set back, it is the first step.
    package func current(
        since start: Timestamp, now: Timestamp
    ) -> (index: Int, endsAt: Timestamp?)? {
        var end = start
        for (index, step) in enumerated() {
            guard let duration = step.duration else { return (index, nil) }
            end =
                end
                + .seconds(
                    Swift.min(Swift.max(duration, 0), EntitlementSequence.maximumStepDuration))
            if now < end { return (index, end) }
        }
        return nil
    }
}

/// The position of a person in a sequence.
package struct SequencePosition: Sendable, Equatable {
    package var sequence: String
    package var startedAt: Timestamp
    /// The time at which the next set replaces this one; `nil` if there is none.
    package var changesAt: Timestamp?

    package init(sequence: String, startedAt: Timestamp, changesAt: Timestamp?) {
        self.sequence = sequence
        self.startedAt = startedAt
        self.changesAt = changesAt
    }
}
