// SPDX-License-Identifier: Apache-2.0

/// The canonical spelling of a certificate name in a directory (`X509:<I>…<S>…`), for comparisons.
package enum CertificateNameText {
    /// The canonical form ignores case and spaces after commas. In directory names (`<I>`, `<S>`)
    /// it also normalizes quotes to backslashes, and the spelling of attribute types: Windows, LDAP
    /// (RFC 4519) and OpenSSL have different names for them, X.509 has object identifiers. Email
    /// addresses and principal names are compared in full.
    package static func canonical(_ name: String) -> String {
        let name = name.lowercased()
        guard ["x509:<i>", "x509:<s>"].contains(where: name.hasPrefix) else {
            return withoutSpaces(name)
        }
        return respelt(withoutSpaces(unquoted(name)))
    }

    private static func withoutSpaces(_ name: String) -> String {
        name.split(separator: ",", omittingEmptySubsequences: false)
            .map { $0.drop { $0 == " " } }.joined(separator: ",")
    }

    /// Converts `O="Maker, Inc."` to `O=Maker\, Inc.` (RFC 2253 section 4 has both).
    private static func unquoted(_ name: String) -> String {
        var text = ""
        var isQuoted = false
        var isEscaped = false
        for letter in name {
            if isEscaped {
                isEscaped = false
            } else if letter == "\"" {
                isQuoted.toggle()
                continue
            } else if letter == "\\" {
                isEscaped = true
            } else if isQuoted, ",+<>;".contains(letter) {
                text.append("\\")
            }
            text.append(letter)
        }
        return text
    }

    /// Replaces each type by its canonical spelling. An attribute ends at a delimiter without a
    /// backslash. Several attributes of one part are separated by ` + ` (Windows) or `+` (RFC
    /// 4514).
    private static func respelt(_ name: String) -> String {
        var text = ""
        var attribute = ""
        var isEscaped = false
        for letter in name {
            let isEnd = !isEscaped && ",+<>".contains(letter)
            isEscaped = !isEscaped && letter == "\\"
            guard isEnd else {
                attribute.append(letter)
                continue
            }
            while letter == "+", attribute.hasSuffix(" "), !attribute.hasSuffix("\\ ") {
                attribute.removeLast()
            }
            text += respelt(attribute: attribute) + String(letter)
            attribute = ""
        }
        return text + respelt(attribute: attribute)
    }

    private static func respelt(attribute: String) -> String {
        guard let sign = attribute.firstIndex(of: "=") else { return attribute }
        let type = attribute[..<sign].drop { $0 == " " }
        let number = type.hasPrefix("oid.") ? type.dropFirst(4) : type
        return (types[String(number)] ?? String(number)) + attribute[sign...]
    }

    /// The spelling of swift-certificates: the names of RFC 4514 section 3, and `E`.
    private static let types: [String: String] = [
        "s": "st", "sp": "st", "email": "e", "emailaddress": "e", "1.2.840.113549.1.9.1": "e",
        "serialnumber": "2.5.4.5", "sn": "2.5.4.4", "surname": "2.5.4.4", "t": "2.5.4.12",
        "title": "2.5.4.12", "g": "2.5.4.42", "gn": "2.5.4.42", "givenname": "2.5.4.42",
        "i": "2.5.4.43", "initials": "2.5.4.43", "dnq": "2.5.4.46", "dnqualifier": "2.5.4.46",
        "pseudonym": "2.5.4.65", "organizationidentifier": "2.5.4.97",
        "uid": "0.9.2342.19200300.100.1.1", "userid": "0.9.2342.19200300.100.1.1",
        "2.5.4.3": "cn", "2.5.4.6": "c", "2.5.4.7": "l", "2.5.4.8": "st", "2.5.4.9": "street",
        "2.5.4.10": "o", "2.5.4.11": "ou", "0.9.2342.19200300.100.1.25": "dc",
    ]
}
