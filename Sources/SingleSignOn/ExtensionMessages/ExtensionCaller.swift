// SPDX-License-Identifier: Apache-2.0
import JOSE

/// The process that sent a request to the agent, identified by the kernel (unix(7), `SO_PEERCRED`).
package struct ExtensionCaller: Sendable, Equatable {
    package var userID: UInt32
    package var groupID: UInt32
    package var processID: UInt32
    /// The start time of the process in the kernel's units (proc(5), `starttime`), the lower 32
    /// bits. It distinguishes processes with the same number.
    package var generation: UInt32

    package init(userID: UInt32, groupID: UInt32, processID: UInt32, generation: UInt32) {
        self.userID = userID
        self.groupID = groupID
        self.processID = processID
        self.generation = generation
    }

    /// The process in the order of Apple's `audit_token_t`: audit user, effective user and group,
    /// real user and group, process, session, and process version; each in native byte order, 32
    /// bytes.
    ///
    /// The kernel reports one user and group, which are repeated, and no session, which is 0.
    package var auditToken: [UInt8] {
        [userID, userID, groupID, userID, groupID, processID, 0, generation].flatMap { number in
            withUnsafeBytes(of: number) { Array($0) }
        }
    }

    var json: JSONObject {
        JSONObject([
            .init(name: "user", value: .integer(Int64(userID))),
            .init(name: "group", value: .integer(Int64(groupID))),
            .init(name: "process", value: .integer(Int64(processID))),
            .init(name: "generation", value: .integer(Int64(generation))),
        ])
    }

    init(json: JSONObject) throws(ExtensionMessageError) {
        let reader = JSONReader<ExtensionMessageError>(json)
        func number(_ name: String) throws(ExtensionMessageError) -> UInt32 {
            UInt32(try reader.required(name, .integer(0...Int64(UInt32.max))))
        }
        userID = try number("user")
        groupID = try number("group")
        processID = try number("process")
        generation = try number("generation")
        try reader.finish()
    }
}
