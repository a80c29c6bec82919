// SPDX-License-Identifier: Apache-2.0

/// The namespaces that are read and written here.
enum Namespace {
    static let saml1 = "urn:oasis:names:tc:SAML:1.0:assertion"
    static let saml2 = "urn:oasis:names:tc:SAML:2.0:assertion"
    static let signature = "http://www.w3.org/2000/09/xmldsig#"
    static let exclusive = "http://www.w3.org/2001/10/xml-exc-c14n#"
}
