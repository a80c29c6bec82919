// SPDX-License-Identifier: Apache-2.0
package protocol MailTransport: Sendable {}
