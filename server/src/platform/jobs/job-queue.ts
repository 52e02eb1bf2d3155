import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { Selectable } from 'kysely'
import type { z } from 'zod'
import type { Clock } from '../clock.ts'
import type { Database, Tx } from '../db/database.ts'
import type { JobTable } from '../db/tables.ts'
import { firstLineOf } from './first-line.ts'

/** A kind of background work: its name in the queue and the schema of its payload. */
export interface JobKind<Payload> {
  readonly kind: string
  readonly schema: z.ZodType<Payload>
  /** Whether it is retried until it succeeds. Other jobs are given up after some attempts, and stay for an administrator to see. */
  readonly isNeverGivenUp: boolean
}

type Handler = (payload: unknown) => Promise<void>
type JobRow = Selectable<JobTable>

/** How long a claim lasts. It is renewed while the job runs; if the server dies, another server takes the job. Milliseconds. */
const CLAIM = 60_000
const RENEW_EVERY = 20_000
const POLL = 5_000
const SOON = 50
const MAX_ATTEMPTS = 12
/** When a job runs that was given up. */
const NEVER_DUE = 9e15
/** The number of rows per insert. */
const ROWS_AT_ONCE = 500

/**
 * A queue of background jobs, kept in the database until they are done. A job is queued in the transaction of the change that it
 * belongs to, so that neither happens without the other. One of several servers runs it, however long it takes. A handler may
 * run twice, after a server has died or was stopped for a while, and must tolerate that.
 */
export class JobQueue {
  readonly #db: Database
  readonly #clock: Clock
  readonly #log: FastifyBaseLogger
  readonly #handlers = new Map<string, Handler>()
  readonly #neverGivenUp = new Set<string>()
  readonly #renewEvery: number
  #timer: NodeJS.Timeout | undefined
  #soon: NodeJS.Timeout | undefined
  /** The last round of each lane. Rounds of one lane run one after the other. */
  readonly #rounds = new Map<string, Promise<void>>()
  readonly #claims = new Set<Promise<unknown>>()
  readonly #inWork = new Map<Promise<void>, JobRow>()
  #isStopped = false

  constructor(db: Database, clock: Clock, log: FastifyBaseLogger, { renewEvery = RENEW_EVERY } = {}) {
    this.#db = db
    this.#clock = clock
    this.#log = log
    this.#renewEvery = renewEvery
  }

  /** Registers the handler of a job, so that this server runs jobs of its kind. */
  handle<Payload>(job: JobKind<Payload>, run: (payload: Payload) => Promise<void>): void {
    this.#handlers.set(job.kind, async (payload) => run(job.schema.parse(payload)))
    if (job.isNeverGivenUp) this.#neverGivenUp.add(job.kind)
  }

  enqueue<Payload>(tx: Tx, job: JobKind<Payload>, payload: NoInfer<Payload>): Promise<void> {
    return this.enqueueAll(tx, job, [payload])
  }

  /** Queues a job for each payload. */
  async enqueueAll<Payload>(tx: Tx, { kind }: JobKind<Payload>, payloads: readonly NoInfer<Payload>[]): Promise<void> {
    if (payloads.length === 0) return
    const common = { kind, run_at: this.#clock.now(), attempts: 0 }
    const rows = payloads.map((payload) => ({ ...common, id: randomUUID(), payload: JSON.stringify(payload) }))
    for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
      await tx
        .insertInto('jobs')
        .values(rows.slice(at, at + ROWS_AT_ONCE))
        .execute()
    }
    // An operator command has no handlers and leaves the job to a server.
    if (this.#handlers.size === 0) return
    // The transaction has usually ended by then. If it hasn't, the next round finds the job.
    this.wake()
  }

  /** Runs due jobs shortly. */
  wake(): void {
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined
      void this.runDue()
    }, SOON).unref()
  }

  start(): void {
    this.#timer = setInterval(() => void this.runDue(), POLL)
    this.#timer.unref()
    void this.runDue()
  }

  /** Stops after the running job. Other due jobs stay queued for another server or the next start. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#timer)
    clearTimeout(this.#soon)
    await Promise.all(this.#rounds.values())
  }

  /** Runs all jobs that are due now: shortly after one was queued, every few seconds, and when a response waits for one. */
  runDue(): Promise<void> {
    return this.#runInTurn('all')
  }

  /** Runs the jobs of some kinds that are due now, without waiting for the rest of the queue, which may take long. */
  async runDueOf(jobs: readonly { kind: string }[]): Promise<void> {
    const kinds = jobs.map(({ kind }) => kind)
    await this.#runInTurn(kinds.join(), kinds)
    // Another round may have started one of them, or be claiming it now.
    await Promise.allSettled(this.#claims)
    await Promise.allSettled(Array.from(this.#inWork, ([done, { kind }]) => (kinds.includes(kind) ? done : undefined)))
  }

  async #runInTurn(lane: string, kinds?: readonly string[]): Promise<void> {
    // The running round may have missed jobs that were queued after it read the queue, so they need another round.
    const previous = this.#rounds.get(lane)
    const mine = (async () => {
      await previous
      await this.#runRound(kinds)
    })()
    this.#rounds.set(lane, mine)
    await mine
    if (this.#rounds.get(lane) === mine) this.#rounds.delete(lane)
  }

  async #runRound(kinds?: readonly string[]): Promise<void> {
    // Jobs that are queued meanwhile belong to the next round, so nobody waits for jobs that queue others endlessly.
    const began = this.#clock.now()
    try {
      while (!this.#isStopped) {
        const work = await this.#begin(began, kinds)
        if (!work) return
        await work.done
      }
    } catch (error) {
      this.#log.error({ err: error }, 'the job queue could not be read')
    }
  }

  async #begin(dueBy: number, kinds?: readonly string[]): Promise<{ done: Promise<void> } | undefined> {
    const claim = this.#claim(dueBy, kinds).then((job) => job && this.#start(job))
    this.#claims.add(claim)
    return claim.finally(() => this.#claims.delete(claim))
  }

  #start(job: JobRow): { done: Promise<void> } {
    const done = this.#run(job).finally(() => this.#inWork.delete(done))
    this.#inWork.set(done, job)
    return { done }
  }

  /** Claims the next due job by postponing it: the process whose update succeeds has the job. */
  async #claim(dueBy: number, kinds?: readonly string[]): Promise<JobRow | undefined> {
    let jobs = this.#db.selectFrom('jobs').selectAll().where('run_at', '<=', dueBy)
    if (kinds) jobs = jobs.where('kind', 'in', kinds)
    const due = await jobs.orderBy('run_at').limit(1).executeTakeFirst()
    if (!due) return undefined
    const claimed = await this.#db
      .updateTable('jobs')
      .set({ run_at: this.#clock.now() + CLAIM, attempts: due.attempts + 1, began_at: this.#clock.now() })
      .where('id', '=', due.id)
      .where('run_at', '=', due.run_at)
      .executeTakeFirst()
    return claimed.numUpdatedRows > 0n ? { ...due, attempts: due.attempts + 1 } : this.#claim(dueBy, kinds)
  }

  async #run(job: JobRow): Promise<void> {
    const stopRenewing = this.#keep(job)
    try {
      const handler = this.#handlers.get(job.kind)
      if (!handler) throw new Error(`there is no handler for jobs of the kind ${job.kind}`)
      await handler(JSON.parse(job.payload))
      await this.#db.deleteFrom('jobs').where('id', '=', job.id).execute()
    } catch (error) {
      this.#log.error({ err: error, kind: job.kind, attempts: job.attempts }, 'a job failed')
      await this.#noteFailure(job, error)
    } finally {
      stopRenewing()
    }
  }

  /** Plans another attempt or, after too many, gives the job up. */
  async #noteFailure(job: JobRow, error: unknown): Promise<void> {
    const now = this.#clock.now()
    const isGivenUp = job.attempts >= MAX_ATTEMPTS && !this.#neverGivenUp.has(job.kind)
    const plan = isGivenUp
      ? { run_at: NEVER_DUE, failed_at: now }
      : { run_at: now + Math.min(1000 * 2 ** job.attempts, 3_600_000) }
    await this.#update(job, { ...plan, began_at: null, last_error: firstLineOf(error) })
  }

  /** Renews the claim of a job until the returned function is called. */
  #keep(job: JobRow): () => void {
    let timer: NodeJS.Timeout | undefined
    let isOver = false
    const renew = () => {
      timer = setTimeout(async () => {
        // While the database is unreachable, nobody else can claim it either.
        await this.#update(job, { run_at: this.#clock.now() + CLAIM }).catch(() => {})
        if (!isOver) renew()
      }, this.#renewEvery).unref()
    }
    renew()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }

  /** Changes a job, unless another server has claimed it since. */
  async #update(job: JobRow, changes: Partial<JobRow>): Promise<void> {
    await this.#db
      .updateTable('jobs')
      .set(changes)
      .where('id', '=', job.id)
      .where('attempts', '=', job.attempts)
      .execute()
  }
}
