// SPDX-License-Identifier: Apache-2.0
package import CBOR

/// `PublicKeyCredentialDescriptor` as CTAP2 carries it: names one credential.
package struct CTAPCredentialDescriptor: Sendable, Equatable {
    package static let publicKey = "public-key"

    package var id: [UInt8]
    package var type: String
    package var transports: [String]?

    package init(
        id: [UInt8], type: String = CTAPCredentialDescriptor.publicKey,
        transports: [String]? = nil
    ) {
        self.id = id
        self.type = type
        self.transports = transports
    }

    package init(_ value: CBORValue) throws(CTAPMessageError) {
        let reader = try CTAPMapReader(value, "credential")
        id = try reader.required(try reader.bytes("id", "id"), "id")
        type = try reader.required(try reader.text("type", "type"), "type")
        transports = try reader.texts("transports", "transports")
    }

    package var cbor: CBORValue {
        var writer = CTAPMapWriter()
        writer.set("id", bytes: id)
        writer.set("type", text: type)
        writer.set("transports", texts: transports)
        return writer.cbor
    }
}
