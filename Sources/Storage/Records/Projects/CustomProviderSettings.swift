// SPDX-License-Identifier: Apache-2.0

/// A custom identity provider: a service of the operator that identifies people
/// (docs/identity-providers.md).
package struct CustomProviderSettings: StoredSettings, Equatable {
    /// The name of the provider in apps. It never changes, because people are stored under it.
    package var id = ""
    /// The displayed name.
    package var name = ""
    /// An image for the button in apps: a path on this host, an https URL or a `data:` URL. Empty
    /// for none.
    package var icon = ""
    package var enabled = true
    /// The URL of its requests: `https`, or `http` to a loopback address.
    package var url = ""
    /// Whether a start request precedes the completion request.
    package var twoStep = false
    /// The response members that are stored with a person.
    package var attributes: [String] = []
    /// The maximum number of requests of one registration.
    package var attempts: Int64 = 5
    /// Seconds from the start to the end of a registration in two steps.
    package var expiresIn: Int64 = 600
    /// The timeout of a request, in seconds.
    package var timeout: Int64 = 10

    package init() {}

    /// The name for display: ``name``, or else ``id``.
    package var displayName: String { name.isEmpty ? id : name }
}
