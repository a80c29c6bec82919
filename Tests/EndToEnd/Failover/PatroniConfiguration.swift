// SPDX-License-Identifier: Apache-2.0

/// The configuration of a member, with the settings of docs/guide/large.md.
struct PatroniConfiguration {
    let name: String
    let folder: String
    let ports: PatroniMember.Ports
    let partners: [Int]

    var text: String { member + raft + bootstrap + postgreSQL }

    /// Of a third member of raft, which has no database: `patroni_raft_controller`.
    static func witness(folder: String, port: Int, partners: [Int]) -> String {
        raft(folder: folder, port: port, partners: partners)
    }

    private var member: String {
        """
        scope: gatehouse
        name: \(name)
        restapi:
          listen: 127.0.0.1:\(ports.api)
          connect_address: 127.0.0.1:\(ports.api)

        """
    }

    private var raft: String { Self.raft(folder: folder, port: ports.raft, partners: partners) }

    private static func raft(folder: String, port: Int, partners: [Int]) -> String {
        let others = partners.map { "'127.0.0.1:\($0)'" }.joined(separator: ", ")
        return """
            raft:
              data_dir: \(folder)/raft
              self_addr: 127.0.0.1:\(port)
              partner_addrs: [\(others)]

            """
    }

    private var bootstrap: String {
        """
        bootstrap:
          dcs:
            ttl: 20
            loop_wait: 2
            retry_timeout: 3
            primary_start_timeout: 0
            maximum_lag_on_failover: 1048576
            synchronous_mode: true
            postgresql:
              use_pg_rewind: true
              use_slots: true
              parameters:
                wal_log_hints: "on"
                hot_standby: "on"
                wal_retrieve_retry_interval: 200ms
          initdb:
            - encoding: UTF8
            - locale: C.UTF-8
            - data-checksums

        """
    }

    private var postgreSQL: String {
        """
        postgresql:
          listen: 127.0.0.1:\(ports.database)
          connect_address: 127.0.0.1:\(ports.database)
          data_dir: \(folder)/data
          bin_dir: /usr/lib/postgresql/15/bin
          pgpass: \(folder)/pgpass
          basebackup:
            checkpoint: fast
          authentication:
            superuser: {username: postgres, password: superuser}
            replication: {username: replica, password: replica}
            rewind: {username: rewind, password: rewind}
          parameters:
            unix_socket_directories: \(folder)
            shared_buffers: 32MB
          pg_hba:
            - host all all 127.0.0.1/32 trust
            - host replication replica 127.0.0.1/32 trust

        """
    }
}
