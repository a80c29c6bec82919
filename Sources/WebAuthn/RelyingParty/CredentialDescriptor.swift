// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

/// `PublicKeyCredentialDescriptorJSON` (section 5.8.3): names one credential.
package struct CredentialDescriptor: Sendable {
    package var id: [UInt8]
    /// The transports that were reported at registration. They help the client to select the
    /// authenticator.
    package var transports: [String]

    package init(id: [UInt8], transports: [String] = []) {
        self.id = id
        self.transports = transports
    }

    var json: JSONValue {
        var descriptor = JSONObject()
        descriptor["type"] = "public-key"
        descriptor["id"] = .string(Base64URL.encode(id))
        if !transports.isEmpty {
            descriptor["transports"] = .array(transports.map { .string($0) })
        }
        return .object(descriptor)
    }
}
