// SPDX-License-Identifier: Apache-2.0

/// An entry of `Hosts`: a host, or with a leading dot all hosts below one, without itself.
package struct HostPattern: Sendable, Hashable, CustomStringConvertible {
    package let host: HostName
    package let coversSubdomains: Bool

    package init?(_ text: String) {
        coversSubdomains = text.hasPrefix(".")
        guard let host = HostName(coversSubdomains ? text.dropFirst() : text[...]) else {
            return nil
        }
        self.host = host
    }

    package var description: String { (coversSubdomains ? "." : "") + host.description }
}
