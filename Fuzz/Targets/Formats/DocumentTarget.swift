// SPDX-License-Identifier: Apache-2.0
import Documents
import ProviderAdministration

extension FuzzTarget {
    /// Configuration and state: what is read is written and read back the same, and the state
    /// parser has an answer to it.
    static let document = FuzzTarget(name: "document") { bytes in
        guard let node = try? DocumentReader.read(bytes) else { return }
        let value = node.json
        _ = try? StateParser.parse(value)
        guard let text = try? DocumentWriter.yaml(value) else { return }
        let again = try? DocumentReader.read(Array(text.utf8)).json
        precondition(again == value, "a document does not survive writing")
    }
}
