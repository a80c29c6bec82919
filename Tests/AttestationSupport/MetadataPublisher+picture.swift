// SPDX-License-Identifier: Apache-2.0

extension MetadataPublisher {
    /// A picture of a key, 48 by 48 pixels, as statements carry it (`icon`).
    package static let picture = """
        data:image/png;base64,\
        iVBORw0KGgoAAAANSUhEUgAAADAAAAAwCAYAAABXAvmHAAAAk0lEQVR42u3XywmAMBBF0RTh3kYswA4EsRhLsRJX\
        VmIjugoMamSiC2fiffCWwpwI+YRACHmUuhs32WVqs3r8HgAAAAAA+Aa8LQAAAAAAAAAAgGjV9Ke6AFwNroGYAMQB\
        13lINoX4HKAZ/g5hAqAZXiLMAHJWP/UXAAAAwC7083PA/UlcxF2oiNsoDxoAAAAQQjKyA/x9vZnQDIIAAAAAAElF\
        TkSuQmCC
        """
}
