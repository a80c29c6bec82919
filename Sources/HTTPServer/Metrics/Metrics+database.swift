// SPDX-License-Identifier: Apache-2.0
package import ProviderCore

extension Metrics {
    /// Adds whether the database responds. The database is asked when the page is, for at most a
    /// second.
    package func addAvailability(_ availability: StoreAvailability) {
        addGauge("gatehouse_database_available", "Whether the database responds: 1 or 0.") {
            await availability.check() ? 1 : 0
        }
    }
}
