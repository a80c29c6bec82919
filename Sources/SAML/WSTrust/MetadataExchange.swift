// SPDX-License-Identifier: Apache-2.0

/// The endpoint of a security token service for usernames and passwords, from its description
/// (Apple "Performing a WS-Trust MEX request"; WSDL 1.1 with WS-Policy attachments).
package struct MetadataExchange: Sendable, Equatable {
    package let version: TrustVersion
    /// An `https` URL; other URLs must not receive a password.
    package let endpoint: String

    private static let securityPolicies = [
        "http://docs.oasis-open.org/ws-sx/ws-securitypolicy/200702",
        "http://schemas.xmlsoap.org/ws/2005/07/securitypolicy",
    ]

    /// The endpoint of the newest version.
    ///
    /// - Throws: `malformed`, `tooLarge`, `markupNotAllowed`, `endpointMissing`.
    package init(description bytes: [UInt8]) throws(SAMLRefusal) {
        let root: SAMLXMLElement
        do throws(XMLError) {
            root = try SAMLXMLDocument(bytes, limits: .description).root
        } catch { throw SAMLRefusal(error) }
        guard root.isNamed("definitions", in: Namespace.description) else {
            throw SAMLRefusal(.malformed, "not a description of a service")
        }
        let policies = Self.passwordPolicies(root)
        for version in TrustVersion.allCases {
            let bindings = Self.bindings(root, of: version, under: policies)
            guard let endpoint = Self.endpoint(root, among: bindings) else { continue }
            self.version = version
            self.endpoint = endpoint
            return
        }
        throw SAMLRefusal(
            .endpointMissing, "there is no https endpoint for a username and a password")
    }

    /// Identifiers of the policies by which a name and a password go through TLS.
    private static func passwordPolicies(_ root: SAMLXMLElement) -> Set<String> {
        let policies = root.children("Policy", in: Namespace.policy).filter { policy in
            let all = policy.all
            func has(_ name: String) -> Bool {
                all.contains { $0.name == name && securityPolicies.contains($0.namespace) }
            }
            return has("TransportBinding") && has("UsernameToken")
        }
        return Set(
            policies.compactMap { policy in
                policy.attributes.first {
                    $0.name == "Id" && $0.namespace == Namespace.securityUtility
                }?.value
            })
    }

    /// Names of the bindings that issue tokens under one of the policies.
    private static func bindings(
        _ root: SAMLXMLElement, of version: TrustVersion, under policies: Set<String>
    ) -> Set<String> {
        let bindings = root.children("binding", in: Namespace.description).filter { binding in
            let references = binding.children("PolicyReference", in: Namespace.policy)
            let isMeant = references.contains { reference in
                policies.contains(String((reference[attribute: "URI"] ?? "").dropFirst()))
            }
            return isMeant
                && binding.children("operation", in: Namespace.description).contains { operation in
                    operation.children("operation", in: Namespace.soapDescription).contains {
                        $0[attribute: "soapAction"] == version.issueAction
                    }
                }
        }
        return Set(bindings.compactMap { $0[attribute: "name"] })
    }

    private static func endpoint(_ root: SAMLXMLElement, among bindings: Set<String>) -> String? {
        let ports = root.children("service", in: Namespace.description)
            .flatMap { $0.children("port", in: Namespace.description) }
        for port in ports {
            // A qualified name; its prefix is the description's own.
            let name = (port[attribute: "binding"] ?? "").split(separator: ":").last
            guard let name, bindings.contains(String(name)) else { continue }
            let address = port.only("address", in: Namespace.soapDescription)?[
                attribute: "location"]
            if let address, address.lowercased().hasPrefix("https://") { return address }
        }
        return nil
    }
}
