// SPDX-License-Identifier: Apache-2.0

/// A validation of a declaration: its head, its payload, and its settings by the rules of profiles.
struct DeclarationReview {
    private let root: PropertyListNode
    private let isJSON: Bool
    private let context: ProfileInspection.Context

    private static let head = [
        KeyDescription(
            name: "Type", form: .string, isRequired: true, since: 13.0,
            meaning: SSOConfiguration.declarationType),
        KeyDescription(
            name: "Identifier", form: .string, isRequired: true, since: 13.0,
            meaning: "Names the declaration; once on a device."),
        KeyDescription(
            name: "ServerToken", form: .string, isRequired: true, since: 13.0,
            meaning: "Another one with every change."),
        KeyDescription(
            name: "Payload", form: .anything, isRequired: true, since: 13.0,
            meaning: "The settings."),
    ]

    init(_ document: PropertyListDocument, context: ProfileInspection.Context) {
        root = document.root
        isJSON = document.format == .json
        self.context = context
    }

    consuming func result() -> ProfileReview.Result {
        var checker = ProfileKeyValidator(
            homes: KeyHomes.inDeclaration, target: context.target, isJSON: isJSON)
        var findings: [ProfileIssue] = []
        // The payload may be without its head, as consoles accept it.
        let isBare = root.member(DeclarationKeys.composedIdentifier) != nil
        let payload = isBare ? root : root["Payload"] ?? root
        let path = isBare ? "" : "Payload"
        if !isBare {
            checker.check(root, against: Self.head, path: "")
            findings += Self.type(of: root)
        }
        checker.check(payload, against: DeclarationKeys.descriptions, path: path)
        findings += Self.composedIdentifier(of: payload, path: path)
        let (configuration, found) = evaluate(payload, path: path)
        let declaration = SSODeclaration(
            identifier: root["Identifier"]?.string ?? "",
            serverToken: root["ServerToken"]?.string ?? "", configuration: configuration)
        return (.declaration(declaration), checker.findings + findings + found, checker.needs)
    }

    private func evaluate(
        _ payload: PropertyListNode, path: String
    ) -> (SSOConfiguration, [ProfileIssue]) {
        var surroundings = SSOReview.Surroundings()
        surroundings.channel = context.channel
        surroundings.target = context.target
        var review = SSOReview(
            SSODeclaration.profileForm(of: payload), path: path, isDeclaration: true,
            surroundings: surroundings)
        for rule in ConfigurationRule.all { rule.check(&review) }
        return (review.configuration, review.findings + UniqueAddresses.findings(in: [review]))
    }

    private static func type(of root: PropertyListNode) -> [ProfileIssue] {
        guard let member = root.member("Type"), let type = member.node.string,
            type != SSOConfiguration.declarationType
        else { return [] }
        return [
            ProfileIssue(
                .error, .wrongDeclarationType, path: "Type", offset: member.node.offset,
                "\"\(type)\" does not configure single sign-on",
                remedy: SSOConfiguration.declarationType)
        ]
    }

    private static func composedIdentifier(
        of payload: PropertyListNode, path: String
    ) -> [ProfileIssue] {
        guard let node = payload[DeclarationKeys.composedIdentifier], let text = node.string,
            ComposedIdentifier(text) == nil
        else { return [] }
        return [
            ProfileIssue(
                .error, .malformedComposedIdentifier,
                path: ProfileKeyValidator.join(path, DeclarationKeys.composedIdentifier),
                offset: node.offset, "\"\(text)\" does not name an extension and its team",
                remedy: "as com.example.app.sso-extension (ABCDE12345)")
        ]
    }
}
