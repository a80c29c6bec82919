// SPDX-License-Identifier: Apache-2.0
import JOSE
import SingleSignOn

extension FuzzTarget {
    /// Property lists, XML, binary and JSON: what is read is written in binary and read back the
    /// same, and in XML too, where it can carry the value.
    static let propertyList = FuzzTarget(name: "property-list") { bytes in
        guard let value = try? PropertyListDocument(bytes).root.propertyList else { return }
        if let binary = try? BinaryPropertyListWriter.bytes(of: value) {
            let again = try? PropertyListDocument(binary).root.propertyList
            // Only what had become longer than the limit may be lost.
            precondition(again == value || binary.count > PropertyListLimits().bytes)
        }
        guard let text = try? XMLPropertyListWriter.bytes(of: value) else { return }
        guard let first = try? PropertyListDocument(text).root.propertyList else {
            return precondition(text.count > PropertyListLimits().bytes)
        }
        // XML has whole seconds, so the second time counts.
        guard let second = try? XMLPropertyListWriter.bytes(of: first) else {
            preconditionFailure("what was read cannot be written")
        }
        precondition(second == text, "XML does not survive writing")
    }

    /// Profiles, declarations and signed messages: every input has a verdict.
    static let profile = FuzzTarget(name: "profile") { bytes in
        let verdict = ProfileInspection.verdict(on: bytes)
        precondition(verdict["code"]?.string?.isEmpty == false)
        guard let inspection = try? ProfileInspection(bytes) else { return }
        let effective = EffectiveConfiguration(
            inspection.singleSignOn.map {
                InstalledConfiguration($0, channel: .device, source: "fuzz")
            })
        _ = effective.matcher.redirect(for: "https://idp.example.com/auth/")
    }

    /// Association files, and entries of apps in their lines.
    static let siteAssociation = FuzzTarget(name: "site-association") { bytes in
        _ = try? SiteAssociation(bytes)
        _ = try? DomainEntry(String(decoding: bytes, as: UTF8.self))
    }

    /// Addresses: what is read is the same when it is written out in full and read again.
    static let httpAddress = FuzzTarget(name: "http-address") { bytes in
        guard let address = try? HTTPAddress(String(decoding: bytes, as: UTF8.self)) else { return }
        let origin = address.origin
        let scheme = origin.isSecure ? "https" : "http"
        let text = "\(scheme)://\(origin.host):\(origin.port)\(address.path)"
        let again = try? HTTPAddress(text)
        precondition(again?.origin == origin && again?.path == address.path)
    }
}
