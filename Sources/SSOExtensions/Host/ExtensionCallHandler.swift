// SPDX-License-Identifier: Apache-2.0
package import SingleSignOn

/// The agent's side of a login manager: keys, configurations, and the person. One object for each
/// request.
package protocol ExtensionCallHandler: Sendable {
    /// Handles a call of the extension. The rules of ``ExtensionCall`` have been checked before;
    /// this method validates the data to save.
    ///
    /// - Throws: ``ExtensionCallRefusal``, which is sent to the extension.
    func answer(
        _ call: ExtensionCall
    ) async throws(ExtensionCallRefusal) -> ExtensionCallResponse
}

/// A call handler for requests without a login manager.
package struct NoExtensionCalls: ExtensionCallHandler {
    package init() {}

    package func answer(
        _ call: ExtensionCall
    ) async throws(ExtensionCallRefusal) -> ExtensionCallResponse {
        throw ExtensionCallRefusal(.notPermitted, "nothing can be called in this request")
    }
}
