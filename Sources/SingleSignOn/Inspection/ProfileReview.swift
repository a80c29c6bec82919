// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

/// A validation of a configuration profile: the envelope, each payload, and the payloads together.
struct ProfileReview {
    private let root: PropertyListNode
    private let isJSON: Bool
    private let context: ProfileInspection.Context
    private var checker: ProfileKeyValidator
    private var findings: [ProfileIssue] = []

    private static let contentKey = KeyDescription(
        name: "PayloadContent", form: .list(.map(.anything)), since: SystemVersion(10, 7),
        meaning: "The payloads.")

    init(_ document: PropertyListDocument, context: ProfileInspection.Context) {
        root = document.root
        isJSON = document.format == .json
        self.context = context
        checker = ProfileKeyValidator(
            homes: KeyHomes.inProfile, target: context.target, isJSON: isJSON)
    }

    typealias Result = (
        ProfileInspection.Subject, [ProfileIssue], needs: [(system: SystemVersion, path: String)]
    )

    consuming func result() -> Result {
        let profile = ConfigurationProfile(root.propertyList)
        if checkKind() {
            checker.check(
                root, against: ProfileEnvelope.descriptions + [Self.contentKey], path: "")
            checkEnvelope(profile.envelope)
            checkPayloads(profile)
        }
        return (.profile(profile), checker.findings + findings, checker.needs)
    }

    /// Whether it is a profile.
    private mutating func checkKind() -> Bool {
        if isJSON {
            report(
                .error, .notAProfile, "", root.offset,
                "JSON that is not a declaration; a profile is a property list",
                remedy: "a member Payload in addition to Type and Identifier")
            return false
        }
        guard root.members != nil, root["PayloadType"] != nil || root["PayloadContent"] != nil
        else {
            report(
                .error, .notAProfile, "", root.offset,
                "a property list, but no configuration profile",
                remedy: "PayloadType Configuration, and the payloads in PayloadContent")
            return false
        }
        return true
    }

    // MARK: The envelope

    private mutating func checkEnvelope(_ envelope: ProfileEnvelope) {
        if envelope.isEncrypted == true || envelope.encryptedContent != nil {
            report(
                .error, .encryptedProfile, "EncryptedPayloadContent", root.offset,
                "the payloads are encrypted for one device and cannot be read here")
        } else if root["PayloadContent"] == nil {
            report(
                .error, .missingKey, "PayloadContent", root.offset, "PayloadContent is missing",
                remedy: "an array of payloads")
        }
        checkVersion(of: root, path: "")
        if let now = context.now, let date = envelope.removalDate, date <= now {
            let offset = root.member("RemovalDate")?.offset ?? root.offset
            report(
                .warning, .removalInPast, "RemovalDate", offset,
                "the profile would be removed at once")
        }
    }

    private mutating func checkVersion(of node: PropertyListNode, path: String) {
        guard case .integer(let version)? = node["PayloadVersion"]?.value, version != 1 else {
            return
        }
        report(
            .error, .wrongVersion, ProfileKeyValidator.join(path, "PayloadVersion"),
            node["PayloadVersion"]?.offset ?? node.offset, "there is no version \(version)",
            remedy: "1")
    }

    // MARK: Payloads

    private mutating func checkPayloads(_ profile: ConfigurationProfile) {
        let nodes = root["PayloadContent"]?.elements ?? []
        checkNames([("", root)] + nodes.enumerated().map { ("PayloadContent[\($0)]", $1) })
        var surroundings = SSOReview.Surroundings()
        surroundings.channel = context.channel ?? profile.envelope.scope.map { ProfileChannel($0) }
        surroundings.target = context.target
        surroundings.payloadUUIDs = Set(
            nodes.compactMap { $0["PayloadUUID"]?.string?.uppercased() })
        surroundings.apps = profile.associatedDomains
        surroundings.containsDomains = nodes.contains {
            $0["PayloadType"]?.string == AssociatedDomainsPayload.payloadType
        }
        var reviews: [SSOReview] = []
        for (index, node) in nodes.enumerated() where node.members != nil {
            let path = "PayloadContent[\(index)]"
            checkVersion(of: node, path: path)
            switch node["PayloadType"]?.string {
            case SSOConfiguration.payloadType:
                checker.check(node, against: Self.keys(of: node), path: path)
                var review = SSOReview(
                    node, path: path, isDeclaration: false, surroundings: surroundings)
                for rule in ConfigurationRule.all { rule.check(&review) }
                reviews.append(review)
            case AssociatedDomainsPayload.payloadType: checkDomains(node, path: path)
            default: reportOther(node, path: path)
            }
        }
        findings += reviews.flatMap(\.findings)
        findings += UniqueAddresses.findings(in: reviews)
        if reviews.isEmpty, root["PayloadContent"]?.elements != nil {
            report(.warning, .noPayload, "", root.offset, "nothing here configures single sign-on")
        }
    }

    /// Returns the keys of the payload; those of `ExtensionData` are defined for Kerberos only.
    private static func keys(of node: PropertyListNode) -> [KeyDescription] {
        let isKerberos =
            node["ExtensionIdentifier"]?.string == KerberosSettings.extensionIdentifier
        return PayloadHead.descriptions
            + SSOConfiguration.descriptions.map { key in
                guard isKerberos, key.name == "ExtensionData" else { return key }
                return KeyDescription(
                    name: key.name, form: .dictionary(KerberosSettings.descriptions),
                    since: key.since, isOnIOS: true, meaning: key.meaning)
            }
    }

    private mutating func checkNames(_ places: [(path: String, node: PropertyListNode)]) {
        var uuids: [String: String] = [:]
        var identifiers: [String: String] = [:]
        for (path, node) in places {
            if let uuid = node["PayloadUUID"], let text = uuid.string {
                let shown = ProfileKeyValidator.join(path, "PayloadUUID")
                if UUIDText.decode(text) == nil {
                    report(
                        .warning, .malformedUUID, shown, uuid.offset, "\"\(text)\" is not a UUID",
                        remedy: "uuidgen makes one")
                } else if let other = uuids.updateValue(shown, forKey: text.uppercased()) {
                    report(
                        .error, .duplicateUUID, shown, uuid.offset, "the same UUID as \(other)")
                }
            }
            if let identifier = node["PayloadIdentifier"], let text = identifier.string {
                let shown = ProfileKeyValidator.join(path, "PayloadIdentifier")
                if let other = identifiers.updateValue(shown, forKey: text) {
                    // Profiles whose payload repeats the profile's own identifier are installed widely.
                    report(
                        other == "PayloadIdentifier" ? .warning : .error, .duplicateIdentifier,
                        shown,
                        identifier.offset, "the same identifier as \(other)")
                }
            }
        }
    }

    private mutating func checkDomains(_ node: PropertyListNode, path: String) {
        checker.check(
            node, against: PayloadHead.descriptions + AssociatedDomainsPayload.descriptions,
            path: path)
        for (number, app) in (node["Configuration"]?.elements ?? []).enumerated() {
            let place = "\(path).Configuration[\(number)]"
            if let identifier = app["ApplicationIdentifier"], let text = identifier.string,
                !AppIdentifier.isValid(text)
            {
                report(
                    .error, .malformedIdentifier, "\(place).ApplicationIdentifier",
                    identifier.offset, "\"\(text)\" is not a team with a bundle identifier",
                    remedy: "as ABCDE12345.com.example.app")
            }
            let entries = app["AssociatedDomains"]?.elements ?? []
            for (index, entry) in entries.enumerated() {
                guard let text = entry.string else { continue }
                do throws(DomainEntry.ParseError) { _ = try DomainEntry(text) } catch {
                    report(
                        .error, .malformedDomain, "\(place).AssociatedDomains[\(index)]",
                        entry.offset, "\"\(text)\": \(error.reason)",
                        remedy: "as authsrv:idp.example.com")
                }
            }
        }
    }

    private mutating func reportOther(_ node: PropertyListNode, path: String) {
        guard let member = node.member("PayloadType"), let type = member.node.string else {
            return report(
                .error, .missingKey, "\(path).PayloadType", node.offset, "PayloadType is missing")
        }
        let ours = [SSOConfiguration.payloadType, AssociatedDomainsPayload.payloadType]
        if let nearest = SpellingSuggestion.of(type, among: ours) {
            report(
                .error, .misspeltPayloadType, "\(path).PayloadType", member.node.offset,
                "there is no payload type \(type)", remedy: "did you mean \(nearest)?")
        } else {
            report(
                .note, .otherPayload, path, node.offset, "a payload of type \(type), not looked at")
        }
    }

    private mutating func report(
        _ severity: ProfileIssue.Severity, _ code: ProfileIssue.Code, _ path: String, _ offset: Int,
        _ problem: String, remedy: String = ""
    ) {
        findings.append(
            ProfileIssue(severity, code, path: path, offset: offset, problem, remedy: remedy))
    }
}
