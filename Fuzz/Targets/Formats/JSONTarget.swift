// SPDX-License-Identifier: Apache-2.0
import JOSE

extension FuzzTarget {
    /// What is read as JSON is written and read back the same.
    static let json = FuzzTarget(name: "json") { bytes in
        guard let value = try? JSONParser.parse(bytes, maximumBytes: 65_536) else { return }
        let again = try? JSONParser.parse(value.bytes, maximumBytes: 1_048_576)
        precondition(again == value, "JSON does not survive writing")
    }
}
