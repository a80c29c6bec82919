// SPDX-License-Identifier: Apache-2.0
package import CBOR

/// The `options` of makeCredential and getAssertion. Other options are ignored.
package struct CTAPOptions: Sendable, Equatable {
    /// Make the credential discoverable.
    package var rk: Bool?
    /// Require a touch. Only getAssertion permits `false`.
    package var up: Bool?
    /// Verify the person by the authenticator's own means.
    package var uv: Bool?

    package init(rk: Bool? = nil, up: Bool? = nil, uv: Bool? = nil) {
        self.rk = rk
        self.up = up
        self.uv = uv
    }

    package init(_ value: CBORValue) throws(CTAPMessageError) {
        try self.init(try CTAPMapReader(value, "options"))
    }

    init(_ reader: CTAPMapReader) throws(CTAPMessageError) {
        rk = try reader.bool("rk", "rk")
        up = try reader.bool("up", "up")
        uv = try reader.bool("uv", "uv")
    }

    /// `nil` if no option is set: the member is then omitted.
    package var cbor: CBORValue? {
        var writer = CTAPMapWriter()
        writer.set("rk", bool: rk)
        writer.set("up", bool: up)
        writer.set("uv", bool: uv)
        return writer.entries.isEmpty ? nil : writer.cbor
    }
}
