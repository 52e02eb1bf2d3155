import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** From a list out of the cache to a chunk over a slow line; in seconds. */
const LATENCIES = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60]

/** Metrics that are read from the database on request. */
export interface Statistics {
  users: number
  storedBytes: number
  allocatedBytes: number
  openUploads: number
  waitingJobs: number
  retriedJobs: number
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
    help: 'Requests by method, route and status, and how long they took until the last byte of the answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: LATENCIES,
    registers: [this.registry],
  })
  readonly #received = this.#counter('alcove_received_bytes_total', 'Bytes that came in over HTTP, heads included.')
  readonly #sent = this.#counter('alcove_sent_bytes_total', 'Bytes that went out over HTTP, heads included.')
  readonly #errors = this.#counter('alcove_errors_total', 'Errors in the log: failed requests, jobs and regular work.')
  readonly #isDatabaseThere = this.#gauge('alcove_database_up', 'Whether the database answered: 1, else 0.')
  readonly #gauges: Readonly<Record<keyof Statistics, Gauge>> = {
    users: this.#gauge('alcove_users', 'Accounts.'),
    storedBytes: this.#gauge('alcove_stored_bytes', 'Bytes of all files, as quotas count them.'),
    allocatedBytes: this.#gauge('alcove_allocated_bytes', 'Bytes that all accounts together may store.'),
    openUploads: this.#gauge('alcove_open_uploads', 'Uploads that have begun and are not complete.'),
    waitingJobs: this.#gauge('alcove_waiting_jobs', 'Jobs that have not been tried yet.'),
    retriedJobs: this.#gauge('alcove_retried_jobs', 'Jobs that are running, or failed and wait to be tried again.'),
    damagedBlobs: this.#gauge('alcove_damaged_blobs', 'Blobs whose bytes are known to be missing or damaged.'),
    lastScrub: this.#gauge(
      'alcove_last_scrub_timestamp_seconds',
      'When the last nightly share of stored bytes had been read and compared.',
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

  /** Returns all metrics in Prometheus's text format. `figures` is undefined if the database is unreachable. */
  async describe(figures: Statistics | undefined): Promise<string> {
    this.#isDatabaseThere.set(figures ? 1 : 0)
    for (const [name, gauge] of Object.entries(this.#gauges)) {
      if (figures) gauge.set(figures[name as keyof Statistics])
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
