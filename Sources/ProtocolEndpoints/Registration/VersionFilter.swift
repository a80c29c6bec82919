// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import HTTPServer
import HTTPTypes
import ProviderCore
import ProviderInstallations

/// Asks the project's rules for versions about the app that sent a request.
struct VersionFilter {
    private let provider: Provider

    init(_ provider: Provider) { self.provider = provider }

    func refusal(
        _ request: ServerRequest, for purpose: AppVersionEvaluator.Purpose
    ) async -> Refusal? {
        await AppVersionEvaluator.refusal(
            of: request.headers[.gatehouseApplication], for: purpose, in: request.tenant, provider,
            facts: request.facts)
    }
}

extension HTTPField.Name {
    static let gatehouseApplication = HTTPField.Name(ApplicationVersion.fieldName) ?? .userAgent
}
