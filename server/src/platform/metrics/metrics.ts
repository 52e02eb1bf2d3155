import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** The histogram buckets in seconds: from a cached list to a chunk over a slow connection. */
const LATENCIES = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60]

/** Metrics that are read from the database on request. */
export interface Statistics {
  users: number
  storedBytes: number
  allocatedBytes: number
  openUploads: number
  waitingJobs: number
  retriedJobs: number
  failedJobs: number
  damagedBlobs: number
  /** In seconds since 1970; 0 if there was none. */
  lastScrub: number
}

/** The metrics: counted while the server works, and read when Prometheus scrapes them. */
export class Metrics {
  readonly registry = new Registry()
  readonly contentType = this.registry.contentType
  readonly #latencies = new Histogram({
    name: 'alcove_request_duration_seconds',
    help: 'Duration of requests until the last byte of the response, by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: LATENCIES,
    registers: [this.registry],
  })
  readonly #received = this.#counter('alcove_received_bytes_total', 'Bytes received over HTTP, including headers.')
  readonly #sent = this.#counter('alcove_sent_bytes_total', 'Bytes sent over HTTP, including headers.')
  readonly #errors = this.#counter(
    'alcove_errors_total',
    'Errors in the log: failed requests, queued jobs and scheduled jobs.',
  )
  readonly #isDatabaseThere = this.#gauge('alcove_database_up', '1 if the database responds, 0 otherwise.')
  readonly #gauges: Readonly<Record<keyof Statistics, Gauge>> = {
    users: this.#gauge('alcove_users', 'Accounts.'),
    storedBytes: this.#gauge('alcove_stored_bytes', 'Bytes of all files, as quotas count them.'),
    allocatedBytes: this.#gauge('alcove_allocated_bytes', 'Bytes that all accounts together are allowed to store.'),
    openUploads: this.#gauge('alcove_open_uploads', 'Unfinished uploads.'),
    waitingJobs: this.#gauge('alcove_waiting_jobs', 'Jobs that have not been tried yet.'),
    retriedJobs: this.#gauge('alcove_retried_jobs', 'Jobs that are running or waiting for a retry.'),
    failedJobs: this.#gauge('alcove_failed_jobs', 'Jobs that were given up after many attempts.'),
    damagedBlobs: this.#gauge('alcove_damaged_blobs', 'Blobs whose bytes are known to be missing or damaged.'),
    lastScrub: this.#gauge(
      'alcove_last_scrub_timestamp_seconds',
      'Unix time at which the last nightly scrub ended, 0 before the first.',
    ),
  }

  constructor() {
    collectDefaultMetrics({ register: this.registry })
  }

  countRequest(request: { method: string; route: string; status: number }, milliseconds: number): void {
    this.#latencies.observe(request, milliseconds / 1000)
  }

  countBytes(received: number, sent: number): void {
    this.#received.inc(received)
    this.#sent.inc(sent)
  }

  countError(): void {
    this.#errors.inc()
  }

  /** Returns all metrics in Prometheus's text format. `statistics` is undefined if the database is unreachable. */
  async describe(statistics: Statistics | undefined): Promise<string> {
    this.#isDatabaseThere.set(statistics ? 1 : 0)
    for (const [name, gauge] of Object.entries(this.#gauges)) {
      if (statistics) gauge.set(statistics[name as keyof Statistics])
      else gauge.remove()
    }
    return this.registry.metrics()
  }

  #counter(name: string, help: string): Counter {
    return new Counter({ name, help, registers: [this.registry] })
  }

  #gauge(name: string, help: string): Gauge {
    return new Gauge({ name, help, registers: [this.registry] })
  }
}
