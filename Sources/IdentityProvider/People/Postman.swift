// SPDX-License-Identifier: Apache-2.0
import Logging
import Mail
import Storage

/// Brings notices to people's mailboxes.
struct Postman: Sendable {
    let context: CeremonyContext
}
