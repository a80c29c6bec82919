// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import JOSE
import OAuth
package import Storage

/// Whether a version of an app, on a version of a system, is let in. Decides purely, by the
/// project's rules and the app's own word.
package struct AppVersionEvaluator: Sendable {
    package enum Purpose: Sendable {
        /// Somebody registers.
        case registration
        /// Somebody who is registered goes on.
        case use
        /// A token is asked for, which others than apps do as well.
        case token
    }

    private let rules: RegistrationPolicy

    /// `nil` when the project has no rules: then nobody looks.
    package init?(_ policy: RegistrationPolicy) {
        guard
            !policy.applications.isEmpty || !policy.systems.isEmpty
                || policy.listedApplicationsOnly
        else { return nil }
        rules = policy
    }

    /// - Parameter field: `Gatehouse-Application`; `nil` when the app says nothing of itself.
    package func refusal(of field: String?, for purpose: Purpose) -> Refusal? {
        judge(field, purpose).map { purpose == .token ? Self.oauth($0) : $0 }
    }

    private func judge(_ field: String?, _ purpose: Purpose) -> Refusal? {
        guard let field else {
            return rules.listedApplicationsOnly && purpose != .token
                ? RegistrationErrorCode.unknownApplication.refusal(because: "says nothing") : nil
        }
        guard let app = ApplicationVersion(field) else {
            return RegistrationErrorCode.malformedInput.refusal(
                "Gatehouse-Application cannot be read.", because: "Gatehouse-Application")
        }
        return judge(app, purpose) ?? judge(system: app)
    }

    private func judge(_ app: ApplicationVersion, _ purpose: Purpose) -> Refusal? {
        guard let rule = rules.applications.first(where: { $0.id == app.application }) else {
            return rules.listedApplicationsOnly
                ? RegistrationErrorCode.unknownApplication.refusal(because: "not listed") : nil
        }
        let floors =
            [rule.minimumVersion]
            + (purpose == .registration ? [rule.registrationVersion] : [])
        return Self.complaint(
            .outdatedApplication, app.version, floors: floors, blocked: rule.blockedVersions,
            updateURL: rule.updateURL)
    }

    private func judge(system app: ApplicationVersion) -> Refusal? {
        guard let rule = rules.systems.first(where: { $0.name == app.system }) else { return nil }
        return Self.complaint(
            .outdatedSystem, app.systemVersion, floors: [rule.minimumVersion],
            blocked: rule.blockedVersions)
    }

    private static func complaint(
        _ code: RegistrationErrorCode, _ version: VersionNumber, floors: [String],
        blocked: [String],
        updateURL: String = ""
    ) -> Refusal? {
        let floor = floors.compactMap { VersionNumber($0) }.max()
        let isOld = floor.map { version < $0 } ?? false
        guard isOld || blocked.contains(where: { VersionNumber($0) == version }) else {
            return nil
        }
        var refusal = code.refusal(because: "\(version)")
        if isOld, let floor {
            refusal.members.append(
                .init(name: "minimum_version", value: .string(floor.description)))
        }
        if !updateURL.isEmpty {
            refusal.members.append(.init(name: "update_url", value: .string(updateURL)))
        }
        return refusal
    }

    /// RFC 6749 section 5.2 has no word for it. One that says nothing about the grant: the app
    /// must not take what it holds for lost.
    private static func oauth(_ refusal: Refusal) -> Refusal {
        let isMalformed = refusal.code == RegistrationErrorCode.malformedInput.rawValue
        var answer = Refusal(
            isMalformed ? ErrorCode.invalidRequest : ErrorCode.unauthorizedClient,
            refusal.message, reason: refusal.reason)
        answer.members =
            [.init(name: "code", value: .string(refusal.code))] + refusal.members
        return answer
    }
}
