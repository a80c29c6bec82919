// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// The declaration form of macOS 27, `com.apple.configuration.extensible-sso`: the same settings in
/// another structure. The table of keys contains their locations.
package struct SSODeclaration: Sendable, Equatable {
    package var identifier: String
    package var serverToken: String
    package var configuration: SSOConfiguration

    package init(identifier: String, serverToken: String, configuration: SSOConfiguration) {
        self.identifier = identifier
        self.serverToken = serverToken
        self.configuration = configuration
    }

    package var json: JSONValue {
        [
            "Type": .string(SSOConfiguration.declarationType),
            "Identifier": .string(identifier),
            "ServerToken": .string(serverToken),
            "Payload": PropertyList.dictionary(payload).json,
        ]
    }

    /// The settings at their locations in the declaration.
    package var payload: [PropertyList.Entry] {
        var entries: [PropertyList.Entry] = []
        if let composed = ComposedIdentifier(configuration) {
            entries.append(
                PropertyList.Entry(
                    DeclarationKeys.composedIdentifier, .string(composed.description)))
        }
        let list = configuration.propertyList
        for pair in DeclarationKeys.pairs {
            if let value = list[path: pair.profilePath[...]] {
                Self.put(value, at: pair.declaredPath[...], into: &entries)
            }
        }
        return entries
    }

    private static func put(
        _ value: PropertyList, at path: ArraySlice<String>, into entries: inout [PropertyList.Entry]
    ) {
        guard let name = path.first else { return }
        guard path.count > 1 else { return entries.append(PropertyList.Entry(name, value)) }
        let index = entries.firstIndex { $0.name == name } ?? entries.count
        if index == entries.count { entries.append(PropertyList.Entry(name, .dictionary([]))) }
        var inner = entries[index].value.entries ?? []
        put(value, at: path.dropFirst(), into: &inner)
        entries[index].value = .dictionary(inner)
    }

    /// Returns the declaration's `Payload` as the payload of a profile with the original offsets,
    /// so that one reader and one set of rules apply to both.
    package static func profileForm(of node: PropertyListNode) -> PropertyListNode {
        var members: [PropertyListNode.Member] = []
        if let composed = node.member(DeclarationKeys.composedIdentifier),
            let identifier = composed.node.string.flatMap({ ComposedIdentifier($0) })
        {
            func member(_ name: String, _ text: String) -> PropertyListNode.Member {
                PropertyListNode.Member(
                    name: name, offset: composed.offset,
                    node: PropertyListNode(.string(text), at: composed.node.offset))
            }
            members.append(member("ExtensionIdentifier", identifier.bundle))
            if let team = identifier.team { members.append(member("TeamIdentifier", team)) }
        }
        for pair in DeclarationKeys.pairs {
            if let member = node.member(at: pair.declaredPath[...]) {
                put(member, at: pair.profilePath[...], into: &members)
            }
        }
        return PropertyListNode(.dictionary(members), at: node.offset)
    }

    private static func put(
        _ member: PropertyListNode.Member, at path: ArraySlice<String>,
        into members: inout [PropertyListNode.Member]
    ) {
        guard let name = path.first else { return }
        guard path.count > 1 else {
            return members.append(
                PropertyListNode.Member(name: name, offset: member.offset, node: member.node))
        }
        let index = members.firstIndex { $0.name == name } ?? members.count
        if index == members.count {
            members.append(
                PropertyListNode.Member(
                    name: name, offset: member.offset,
                    node: PropertyListNode(.dictionary([]), at: member.offset)))
        }
        var inner = members[index].node.members ?? []
        put(member, at: path.dropFirst(), into: &inner)
        members[index].node.value = .dictionary(inner)
    }
}

extension PropertyList {
    fileprivate subscript(path path: ArraySlice<String>) -> PropertyList? {
        guard let name = path.first else { return self }
        return self[name]?[path: path.dropFirst()]
    }
}

extension PropertyListNode {
    func member(at path: ArraySlice<String>) -> Member? {
        guard let name = path.first, let member = member(name) else { return nil }
        return path.count > 1 ? member.node.member(at: path.dropFirst()) : member
    }
}
