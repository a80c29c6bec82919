// SPDX-License-Identifier: Apache-2.0
package import CBOR

/// `PublicKeyCredentialRpEntity` as CTAP2 carries it.
package struct CTAPRelyingParty: Sendable, Equatable {
    package var id: String
    package var name: String?

    package init(id: String, name: String? = nil) {
        self.id = id
        self.name = name
    }

    package init(_ value: CBORValue) throws(CTAPMessageError) {
        let reader = try CTAPMapReader(value, "rp")
        id = try reader.required(try reader.text("id", "id"), "id")
        name = try reader.text("name", "name")
    }

    package var cbor: CBORValue {
        var writer = CTAPMapWriter()
        writer.set("id", text: id)
        writer.set("name", text: name)
        return writer.cbor
    }
}
