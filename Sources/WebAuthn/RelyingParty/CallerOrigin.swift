// SPDX-License-Identifier: Apache-2.0
import Primitives

/// The origin of a ceremony as clients write it into client data (section 5.8.1): a web origin or
/// an app's. For the validation of settings: ceremonies compare the text byte for byte.
package enum CallerOrigin: Sendable, Hashable, CustomStringConvertible {
    /// `https://login.example.org`: no path, no trailing slash, no default port, lower case, and
    /// Punycode where the name is international. `http` for `localhost` only.
    case web(scheme: String, host: String, port: UInt16?)
    /// `android:apk-key-hash:…`: SHA-256 of the app's signing certificate, base64url.
    case androidApp(certificateHash: [UInt8])
    /// `ios:bundle-id:…`.
    case appleApp(bundleID: String)

    package init?(_ text: String) {
        if let hash = Self.rest(of: text, after: "android:apk-key-hash:") {
            guard let bytes = Base64URL.decode(hash), bytes.count == 32 else { return nil }
            self = .androidApp(certificateHash: bytes)
        } else if let name = Self.rest(of: text, after: "ios:bundle-id:") {
            guard Self.isBundleID(name) else { return nil }
            self = .appleApp(bundleID: name)
        } else if let rest = Self.rest(of: text, after: "https://") {
            self.init(scheme: "https", authority: rest, defaultPort: 443)
        } else if let rest = Self.rest(of: text, after: "http://") {
            self.init(scheme: "http", authority: rest, defaultPort: 80)
            guard case .web(_, "localhost", _) = self else { return nil }
        } else {
            return nil
        }
    }

    private init?(scheme: String, authority: String, defaultPort: UInt16) {
        let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
        guard let host = parts.first, parts.count <= 2, Self.isHost(host) else { return nil }
        var port: UInt16?
        if parts.count == 2 {
            guard let number = UInt16(parts[1]), String(number) == parts[1], number > 0,
                number != defaultPort
            else { return nil }
            port = number
        }
        self = .web(scheme: scheme, host: String(host), port: port)
    }

    private static func rest(of text: String, after prefix: String) -> String? {
        guard text.utf8.starts(with: prefix.utf8) else { return nil }
        return String(text.utf8.dropFirst(prefix.utf8.count))
    }

    /// Whether a host consists of labels of lower-case ASCII characters, digits and hyphens (RFC
    /// 1123 section 2.1), at most 253 bytes.
    private static func isHost(_ host: Substring) -> Bool {
        guard 1...253 ~= host.utf8.count else { return false }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard
            labels.allSatisfy({
                1...63 ~= $0.utf8.count && !$0.hasPrefix("-") && !$0.hasSuffix("-")
            })
        else { return false }
        // An IPv4 address is not a domain (section 5.1.3 requires one).
        guard labels.last?.utf8.allSatisfy(isDigit) == false else { return false }
        return host.utf8.allSatisfy {
            $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") || isDigit($0)
                || UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0
        }
    }

    private static func isDigit(_ letter: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= letter
    }

    private static func isBundleID(_ name: String) -> Bool {
        1...255 ~= name.utf8.count
            && name.utf8.allSatisfy {
                $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") || isDigit($0)
                    || UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20
            }
    }

    /// As clients write it.
    package var description: String {
        switch self {
        case .web(let scheme, let host, let port):
            "\(scheme)://\(host)" + (port.map { ":\($0)" } ?? "")
        case .androidApp(let hash): "android:apk-key-hash:\(Base64URL.encode(hash))"
        case .appleApp(let name): "ios:bundle-id:\(name)"
        }
    }
}
