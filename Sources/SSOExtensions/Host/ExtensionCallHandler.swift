// SPDX-License-Identifier: Apache-2.0
package import SingleSignOn

/// The agent's side of a login manager: keys, configurations, and the person. One object for each
/// request.
package protocol ExtensionCallHandler: Sendable {
    /// Does what the extension calls for. The rules of ``ExtensionCall`` have been kept by then; that
    /// what is to be saved makes sense is for this method to find out.
    ///
    /// - Throws: ``ExtensionCallRefusal``, which the extension is told.
    func answer(
        _ call: ExtensionCall
    ) async throws(ExtensionCallRefusal) -> ExtensionCallResponse
}

/// For requests without a login manager.
package struct NoExtensionCalls: ExtensionCallHandler {
    package init() {}

    package func answer(
        _ call: ExtensionCall
    ) async throws(ExtensionCallRefusal) -> ExtensionCallResponse {
        throw ExtensionCallRefusal(.notPermitted, "nothing can be called in this request")
    }
}
