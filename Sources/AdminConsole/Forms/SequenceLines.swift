// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import JOSE
import ProviderInstallations
import Storage

/// The steps of a sequence in text form: `gold = 30d`, and last `basic`, without an end.
struct SequenceLines: Equatable {
    typealias Step = EntitlementSequence.Step

    private static let units: [(letter: Character, seconds: Int64)] = [
        ("d", 86_400), ("h", 3600), ("m", 60), ("s", 1),
    ]

    let steps: [Step]

    init(_ steps: [Step]) { self.steps = steps }

    /// `nil` for what cannot be read.
    init?(typed: String) {
        var steps: [Step] = []
        for line in ConsoleField.lines(typed) {
            let parts = line.split(separator: "=", omittingEmptySubsequences: false)
                .map { String($0).trimmed() }
            guard parts.count <= 2, !parts[0].isEmpty else { return nil }
            var step = Step(set: parts[0], duration: nil)
            if parts.count == 2 {
                guard let duration = Self.seconds(parts[1]) else { return nil }
                step.duration = duration
            }
            steps.append(step)
        }
        self.steps = steps
    }

    var text: [String] {
        steps.map { step in
            guard let duration = step.duration else { return step.set }
            let unit = Self.units.first { duration % $0.seconds == 0 } ?? ("s", 1)
            return "\(step.set) = \(duration / unit.seconds)\(unit.letter)"
        }
    }

    var json: JSONValue { .array(steps.map(EntitlementFields.json)) }

    private static func seconds(_ text: String) -> Int64? {
        guard let unit = units.first(where: { $0.letter == text.last }),
            let count = Int64(text.dropLast()), count > 0
        else { return nil }
        let (seconds, overflow) = count.multipliedReportingOverflow(by: unit.seconds)
        return overflow ? nil : seconds
    }
}
