// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import JOSE
import OAuth
package import ProviderCore
package import Storage

/// Evaluates the version of an app and its operating system by the project's policy. The versions
/// are those that the app reports.
package struct AppVersionEvaluator: Sendable {
    package enum Purpose: Sendable {
        /// A registration.
        case registration
        /// A request of a registered installation.
        case use
        /// A token request, which can also come from clients that are not apps.
        case token
    }

    private let rules: RegistrationPolicy

    /// Returns `nil` if the project has no policy for versions.
    package init?(_ policy: RegistrationPolicy) {
        guard
            !policy.applications.isEmpty || !policy.systems.isEmpty
                || policy.listedApplicationsOnly
        else { return nil }
        rules = policy
    }

    /// - Parameter field: `Gatehouse-Application`; `nil` if the request has no such header.
    package func refusal(of field: String?, for purpose: Purpose) -> Refusal? {
        evaluate(field, purpose).map { purpose == .token ? Self.oauth($0) : $0 }
    }

    private func evaluate(_ field: String?, _ purpose: Purpose) -> Refusal? {
        guard let field else {
            return rules.listedApplicationsOnly && purpose != .token
                ? RegistrationErrorCode.unknownApplication.refusal(
                    because: "no Gatehouse-Application header") : nil
        }
        guard let app = ApplicationVersion(field) else {
            return RegistrationErrorCode.malformedInput.refusal(
                "Gatehouse-Application cannot be read.", because: "Gatehouse-Application")
        }
        return evaluate(app, purpose) ?? evaluate(system: app)
    }

    private func evaluate(_ app: ApplicationVersion, _ purpose: Purpose) -> Refusal? {
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

    private func evaluate(system app: ApplicationVersion) -> Refusal? {
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

    /// RFC 6749 section 5.2 has no error code for this case. The chosen code does not concern the
    /// grant, so that the app does not discard its tokens.
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
