// SPDX-License-Identifier: Apache-2.0
package import JOSE
import WebAuthn

extension AssertionOptions {
    /// Reads `PublicKeyCredentialRequestOptionsJSON` (WebAuthn section 5.1.10).
    package init(json: JSONValue) throws(SecurityKeyError) {
        let options = try JSONReader.options(json)
        let challenge = try options.required("challenge", .base64url)
        self.init(relyingPartyId: try options.optional("rpId", .string), challenge: challenge)
        timeout = try options.timeout()
        allowCredentials = try options.credentials("allowCredentials")
        // A list of nothing known must not turn into no list at all.
        if try options.optionalObjects("allowCredentials")?.isEmpty == false,
            allowCredentials.isEmpty
        {
            throw .noCredential
        }
        userVerification = try options.choice("userVerification", otherwise: .preferred)
        if let extensions = try options.optionalObject("extensions") {
            self.extensions = try AssertionExtensionInputs(extensions)
            try checkPRF()
        }
    }

    /// Inputs by credential name credentials of the allow list (WebAuthn section 10.1.4).
    private func checkPRF() throws(SecurityKeyError) {
        let named = extensions.prf?.evalByCredential.keys.map { $0 } ?? []
        guard named.allSatisfy({ id in allowCredentials.contains { $0.id == id } }) else {
            throw .malformedOptions("options.extensions.prf.evalByCredential")
        }
    }
}

extension AssertionExtensionInputs {
    init(_ reader: JSONReader<SecurityKeyError>) throws(SecurityKeyError) {
        prf = try reader.prf()
        getCredBlob = try reader.optional("getCredBlob", .bool) ?? false
        appId = try reader.optional("appid", .string)
        if let blob = try reader.optionalObject("largeBlob") {
            let bytes = try blob.optional("write", .base64url)
            let read = try blob.optional("read", .bool) ?? false
            if let bytes {
                guard !read else { throw .malformedOptions("options.extensions.largeBlob") }
                largeBlob = .write(bytes)
            } else if read {
                largeBlob = .read
            }
        }
    }
}
