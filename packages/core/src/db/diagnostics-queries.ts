import { sql } from 'kysely'
import type { Database } from './database.ts'

/** Returns the version of the PostgreSQL server, e.g. '18.4'. */
export async function findServerVersion(db: Database): Promise<string> {
  const { rows } = await sql<{ version: string }>`select current_setting('server_version') as version`.execute(db)
  return rows[0]!.version
}

/** Returns the time on the clock of the database. */
export async function findDatabaseTime(db: Database): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  return rows[0]!.now
}

export type InstallationStatus = { sets: number; valuedSets: number; hasUpcomingPartitions: boolean }

/** Counts the catalog and its values, and checks that every partitioned table has partitions for the next weeks. */
export async function findInstallationStatus(db: Database): Promise<InstallationStatus> {
  const { rows } = await sql<{ sets: number; valued: number; partition: boolean }>`
    select (select count(*)::integer from catalog.set) as sets,
           (select count(distinct set_number)::integer from market.set_value where value_cents is not null) as valued,
           (select bool_and(exists (
              select from pg_inherits i join pg_class c on c.oid = i.inhrelid
               where i.inhparent = p.table_name::regclass
                 and (regexp_match(pg_get_expr(c.relpartbound, c.oid), 'TO \\(''([0-9-]+)'))[1]::date > current_date + least(interval '31 days', p.ahead / 2)))
              from maintenance.partition_policy p) as partition`.execute(db)
  const { sets, valued, partition } = rows[0]!
  return { sets, valuedSets: valued, hasUpcomingPartitions: partition }
}

export type DatabaseHealth = {
  walFilesToArchive: number
  standbys: number
  replicationLagSeconds: number
  /** Connections as a fraction of max_connections. */
  connectionRatio: number
  sizeBytes: number
}

/** Returns what monitoring needs to know about the server. */
export async function findDatabaseHealth(db: Database): Promise<DatabaseHealth> {
  const { rows } = await sql<{
    wal_files_to_archive: number
    standbys: number
    replication_lag_seconds: number
    connection_ratio: number
    size_bytes: number
  }>`select * from maintenance.database_health()`.execute(db)
  const health = rows[0]!
  return {
    walFilesToArchive: health.wal_files_to_archive,
    standbys: health.standbys,
    replicationLagSeconds: health.replication_lag_seconds,
    connectionRatio: health.connection_ratio,
    sizeBytes: health.size_bytes,
  }
}

export type DataSafety = {
  synchronousStandbys: number
  /** Age of the oldest transaction or multixact id, as a fraction of what PostgreSQL survives. */
  transactionIdAgeRatio: number
  /** Null if the cluster has no checksums. */
  checksumFailures: number | null
}

/** Returns whether what is stored is safe. */
export async function findDataSafety(db: Database): Promise<DataSafety> {
  const { rows } = await sql<{
    synchronous_standbys: number
    transaction_id_age_ratio: number
    checksum_failures: number | null
  }>`select * from maintenance.data_safety()`.execute(db)
  const safety = rows[0]!
  return {
    synchronousStandbys: safety.synchronous_standbys,
    transactionIdAgeRatio: safety.transaction_id_age_ratio,
    checksumFailures: safety.checksum_failures,
  }
}
