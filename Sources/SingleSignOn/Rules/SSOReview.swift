// SPDX-License-Identifier: Apache-2.0

/// One payload or declaration during the checks that the table of keys cannot express, and their
/// findings.
struct SSOReview {
    /// The context of the payload.
    struct Surroundings {
        var channel: ProfileChannel?
        var target: SystemVersion?
        /// The UUIDs of the payloads in the profile.
        var payloadUUIDs: Set<String> = []
        /// The apps and their domains in the same profile.
        var apps: [AssociatedDomainsPayload.App] = []
        /// Whether the profile contains domains.
        var containsDomains = false
    }

    let configuration: SSOConfiguration
    /// In the form of a profile's payload.
    let node: PropertyListNode
    let path: String
    let isDeclaration: Bool
    let surroundings: Surroundings
    private(set) var findings: [ProfileIssue] = []

    init(
        _ node: PropertyListNode, path: String, isDeclaration: Bool, surroundings: Surroundings
    ) {
        configuration = SSOConfiguration(entries: node.propertyList.entries ?? [])
        self.node = node
        self.path = path
        self.isDeclaration = isDeclaration
        self.surroundings = surroundings
    }

    var platformSSO: PlatformSSOSettings { configuration.platformSSO ?? PlatformSSOSettings() }

    /// Returns the name of a key in this form.
    func name(_ profilePath: String) -> String {
        isDeclaration ? DeclarationKeys.declaredPath(of: profilePath) : profilePath
    }

    func has(_ profilePath: String) -> Bool {
        node.member(at: profilePath.split(separator: ".").map(String.init)[...]) != nil
    }

    /// - Parameters:
    ///   - profilePath: Of the key, in a payload; empty for the whole.
    ///   - index: Of the element, if the finding is about one.
    mutating func report(
        _ severity: ProfileIssue.Severity, _ code: ProfileIssue.Code, at profilePath: String,
        index: Int? = nil, _ problem: String, remedy: String = ""
    ) {
        let shown = ProfileKeyValidator.join(path, name(profilePath))
        findings.append(
            ProfileIssue(
                severity, code,
                path: profilePath.isEmpty ? path : shown + (index.map { "[\($0)]" } ?? ""),
                offset: offset(of: profilePath, index: index), problem, remedy: remedy))
    }

    /// Returns the offset of the key, or of the nearest enclosing value.
    private func offset(of profilePath: String, index: Int?) -> Int {
        var node = node
        var offset = node.offset
        for step in profilePath.split(separator: ".") {
            guard let member = node.member(String(step)) else { return offset }
            node = member.node
            offset = member.offset
        }
        if let index, let elements = node.elements, elements.indices.contains(index) {
            return elements[index].offset
        }
        return offset
    }
}
