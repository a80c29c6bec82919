// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import Platform

extension SettingReader {
    func connections() -> ConnectionLimits {
        var limits = ConnectionLimits()
        if let total = number("connections") { limits.total = Int(total) }
        if let share = number("connections-per-address") { limits.perAddress = Int(share) }
        return limits
    }

    /// Returns the trusted proxies, as IP addresses and networks. It refuses a value that no peer
    /// can have. With such a value, all people would seem to use the IP address of the proxy.
    func proxies() throws(ConfigurationError) -> [NetworkRange] {
        var ranges: [NetworkRange] = []
        for text in list("trusted-proxies") {
            guard let range = NetworkRange(text), Self.canMatch(range) else {
                throw ConfigurationError(
                    values["trusted-proxies"]?.origin,
                    "trusted-proxies is \"\(text)\", which matches no proxy; \(Self.advice(text))")
            }
            ranges.append(range)
        }
        return ranges
    }

    /// Whether a peer can have an address of the range. Peers have unicast addresses, and IPv4
    /// addresses are not mapped to IPv6.
    private static func canMatch(_ range: NetworkRange) -> Bool {
        let isMapped = range.base.unmapped != range.base
        let isIPv4 = range.base.bytes.count == 4
        let isUnspecified =
            range.base.bytes.allSatisfy { $0 == 0 } && range.length >= (isIPv4 ? 8 : 128)
        let isMulticast = isIPv4 ? range.base.bytes[0] >= 224 : range.base.bytes[0] == 0xFF
        return !isMapped && !isUnspecified && !isMulticast
    }

    private static func advice(_ text: String) -> String {
        if let base = NetworkAddress(text: String(text.prefix { $0 != "/" })) {
            if base.unmapped != base { return "write the address of IPv4, \(base.unmapped)" }
            if NetworkRange(text) == nil, let range = NetworkRange(covering: text) {
                return "the network of that address is \(range)"
            }
        }
        return
            "it must be an IP address (10.0.0.5) or a network (10.0.0.0/8, fd00::/8), not a host name"
    }
}
