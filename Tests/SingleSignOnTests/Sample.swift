// SPDX-License-Identifier: Apache-2.0
import Primitives
import SingleSignOn

/// Profiles that are right, to be changed by tests.
enum Sample {
    /// Entries that replace those of the same name; `nil` removes.
    typealias Changes = [(String, PropertyList?)]

    static let head: [(String, PropertyList)] = [
        ("PayloadType", "com.apple.extensiblesso"), ("PayloadVersion", 1),
        ("PayloadIdentifier", "com.example.profile.sso"),
        ("PayloadUUID", "5B2D9B1E-5D29-4B92-AE0E-46CB1C8F3B8A"),
    ]

    static func redirect(_ changes: Changes = []) -> PropertyList {
        changed(
            [
                ("ExtensionIdentifier", "com.example.app.sso"), ("TeamIdentifier", "ABCDE12345"),
                ("Type", "Redirect"), ("URLs", ["https://idp.example.com/auth/"]),
            ] + head, changes)
    }

    static func credential(_ changes: Changes = []) -> PropertyList {
        changed(
            [
                ("ExtensionIdentifier", "com.example.app.kdc"), ("TeamIdentifier", "ABCDE12345"),
                ("Type", "Credential"), ("Hosts", [".example.com"]), ("Realm", "EXAMPLE.COM"),
                ("PayloadType", "com.apple.extensiblesso"), ("PayloadVersion", 1),
                ("PayloadIdentifier", "com.example.profile.kdc"),
                ("PayloadUUID", "7C2D9B1E-5D29-4B92-AE0E-46CB1C8F3B8A"),
            ], changes)
    }

    static func kerberos(_ data: [(String, PropertyList)], _ changes: Changes = []) -> PropertyList
    {
        credential(
            [
                ("ExtensionIdentifier", "com.apple.AppSSOKerberos.KerberosExtension"),
                ("TeamIdentifier", "apple"), ("ExtensionData", list(data)),
            ] + changes)
    }

    /// A redirect payload with Platform SSO: a password and shared keys, changed as asked.
    static func platform(_ settings: Changes, _ changes: Changes = []) -> PropertyList {
        let platform = changed(
            [("AuthenticationMethod", "Password"), ("UseSharedDeviceKeys", true)], settings)
        return redirect([("PlatformSSO", platform)] + changes)
    }

    static func profile(_ payloads: [PropertyList], _ changes: Changes = []) -> PropertyList {
        changed(
            [
                ("PayloadContent", .array(payloads)), ("PayloadType", "Configuration"),
                ("PayloadVersion", 1), ("PayloadIdentifier", "com.example.profile"),
                ("PayloadUUID", "0A2D9B1E-5D29-4B92-AE0E-46CB1C8F3B8A"), ("PayloadScope", "System"),
            ], changes)
    }

    static func domains(_ entries: [PropertyList]) -> PropertyList {
        list([
            (
                "Configuration",
                [
                    [
                        "ApplicationIdentifier": "ABCDE12345.com.example.app",
                        "AssociatedDomains": .array(entries),
                    ]
                ]
            ), ("PayloadType", "com.apple.associated-domains"), ("PayloadVersion", 1),
            ("PayloadIdentifier", "com.example.profile.domains"),
            ("PayloadUUID", "9E2D9B1E-5D29-4B92-AE0E-46CB1C8F3B8A"),
        ])
    }

    static func list(_ entries: [(String, PropertyList)]) -> PropertyList {
        .dictionary(entries.map { PropertyList.Entry($0, $1) })
    }

    static func changed(_ entries: [(String, PropertyList)], _ changes: Changes) -> PropertyList {
        var entries = entries
        for (name, value) in changes {
            let index = entries.firstIndex { $0.0 == name }
            switch (index, value) {
            case (let index?, let value?): entries[index].1 = value
            case (let index?, nil): entries.remove(at: index)
            case (nil, let value?): entries.append((name, value))
            case (nil, nil): break
            }
        }
        return list(entries)
    }

    static func inspect(
        _ list: PropertyList, _ context: ProfileInspection.Context = .init()
    ) throws -> ProfileInspection {
        try ProfileInspection(try XMLPropertyListWriter.bytes(of: list), context: context)
    }

    static func inspect(
        payload: PropertyList, _ context: ProfileInspection.Context = .init()
    ) throws -> ProfileInspection {
        try inspect(profile([payload]), context)
    }
}
