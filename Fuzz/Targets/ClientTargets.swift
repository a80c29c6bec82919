// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient

extension FuzzTarget {
    /// What reaches an app from outside: a configuration, a redirect, the name of a record. What is
    /// taken survives writing.
    static let clientInput = FuzzTarget(name: "client-input") { bytes in
        if let read = try? ClientConfiguration(json: Data(bytes)) {
            let again = (try? JSONEncoder().encode(read)).flatMap {
                try? ClientConfiguration(json: $0)
            }
            precondition(again == read, "a configuration does not survive writing")
        }
        let text = String(decoding: bytes, as: UTF8.self)
        if let name = RecordName(rawValue: text) {
            precondition(!name.rawValue.contains("/"), "a name leaves its folder")
        }
        if let url = URL(string: text), let parameters = BrowserRequest.parameters(of: url) {
            precondition(parameters.count <= 16, "more parameters than are read")
        }
        _ = try? PIN(text)
    }
}
