// SPDX-License-Identifier: Apache-2.0
package import CBOR

/// `PublicKeyCredentialUserEntity` as CTAP2 carries it. The `icon` of Level 1 is ignored.
package struct CTAPUser: Sendable, Equatable {
    /// The user handle, at most 64 bytes (WebAuthn section 5.4.3).
    package var id: [UInt8]
    /// Absent in an assertion made without verifying the person.
    package var name: String?
    package var displayName: String?

    package init(id: [UInt8], name: String? = nil, displayName: String? = nil) {
        self.id = id
        self.name = name
        self.displayName = displayName
    }

    package init(_ value: CBORValue) throws(CTAPMessageError) {
        let reader = try CTAPMapReader(value, "user")
        id = try reader.required(try reader.bytes("id", "id", lengths: 0...64), "id")
        name = try reader.text("name", "name")
        displayName = try reader.text("displayName", "displayName")
    }

    package var cbor: CBORValue {
        var writer = CTAPMapWriter()
        writer.set("id", bytes: id)
        writer.set("name", text: name)
        writer.set("displayName", text: displayName)
        return writer.cbor
    }
}
