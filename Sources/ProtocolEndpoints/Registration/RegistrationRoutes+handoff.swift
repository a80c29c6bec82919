// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import JOSE
import ProviderInstallations

/// `/registration/web-handoff`: from an app to the web.
extension RegistrationRoutes {
    var handoffEndpoints: [RegistrationEndpoint] {
        [
            RegistrationEndpoint(
                .post, "/web-handoff", "openWebHandoff",
                "An address that signs the person in to a browser, once, and leads to a "
                    + "registered place.",
                body: "WebTarget", answer: "WebHandoff", isOpen: false, run: openHandoff)
        ]
    }

    private func openHandoff(
        _ call: RegistrationAPIRequest
    ) async throws -> RegistrationAPIRequest.Outcome {
        let target = call.body["target"]?.string
        return try await WebHandoffService(call.context).open(call.accessToken, to: target).map {
            url in
            var body = JSONWriter()
            body.member("url", url)
            body.member("expires_in", WebHandoffService.lifetime)
            return .json(body.finish())
        }
    }
}

extension RegistrationSchemas {
    /// The shapes of `/registration/web-handoff`: members of the object of schemas.
    static let handoff = """
          "WebTarget": {"type": "object", "required": ["target"], "properties": {
            "target": {"type": "string", "format": "uri", "maxLength": 2048}}},
          "WebHandoff": {"type": "object", "required": ["url", "expires_in"], "properties": {
            "url": {"type": "string", "format": "uri"},
            "expires_in": {"type": "integer", "description": "Seconds."}}},
        """
}
