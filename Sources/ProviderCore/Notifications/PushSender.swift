// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import Storage

/// A sender of push notifications for approval requests. A notification does not contain the
/// message of the request: the app fetches it from the provider.
///
/// Sending is best effort. A notification that fails is not sent again.
package protocol PushSender: Sendable {
    func send(_ notice: PushNotification, for tenant: Tenant, of provider: Provider) async
}

/// A notification that an approval request is pending for a person.
package struct PushNotification: Sendable, Equatable {
    /// An enrolled installation with a push token.
    package struct Target: Sendable, Equatable {
        package let installation: Identifier<Installation>
        /// The token as the app sent it. Only the push service of the operator interprets it.
        package let token: String

        package init(installation: Identifier<Installation>, token: String) {
            self.installation = installation
            self.token = token
        }
    }

    package let approval: Identifier<Approval>
    package let person: Identifier<Person>
    package let targets: [Target]
    package let expiresAt: Timestamp

    package init(
        approval: Identifier<Approval>, person: Identifier<Person>, targets: [Target],
        expiresAt: Timestamp
    ) {
        self.approval = approval
        self.person = person
        self.targets = targets
        self.expiresAt = expiresAt
    }
}
