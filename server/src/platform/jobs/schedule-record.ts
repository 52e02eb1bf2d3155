import type { Insertable } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Database } from '../db/database.ts'
import type { ScheduledRunTable } from '../db/tables.ts'
import { firstLineOf } from './first-line.ts'

/** Runs of a server that has been silent for so long are forgotten. In milliseconds. */
const FORGOTTEN_AFTER = 24 * 3_600_000

type Run = Omit<Insertable<ScheduledRunTable>, 'server' | 'updated_at'>

/** Remembers the last run of each scheduled job of this server, and saves it where administrators of all servers can see it. */
export class ScheduleRecord {
  readonly #db: Database
  readonly #clock: Clock
  readonly #server: string
  readonly #runs = new Map<string, Run>()

  constructor(db: Database, clock: Clock, server: string) {
    this.#db = db
    this.#clock = clock
    this.#server = server
  }

  begin(name: string, every: number): void {
    const { error = null, error_at = null } = this.#runs.get(name) ?? {}
    this.#runs.set(name, { name, every, began_at: this.#clock.now(), ended_at: null, error, error_at })
  }

  /** Notes the end of a run. An earlier error stays, since one in a thousand runs may fail. */
  end(name: string, error?: unknown): void {
    const run = this.#runs.get(name)
    if (!run) return
    const now = this.#clock.now()
    const failure = error === undefined ? {} : { error: firstLineOf(error), error_at: now }
    this.#runs.set(name, { ...run, ended_at: now, ...failure })
  }

  /** Saves the runs with one statement. */
  async save(): Promise<void> {
    const now = this.#clock.now()
    const rows = Array.from(this.#runs.values(), (run) => ({ ...run, server: this.#server, updated_at: now }))
    if (rows.length === 0) return
    await this.#db
      .insertInto('scheduled_runs')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['name', 'server']).doUpdateSet((eb) => ({
          every: eb.ref('excluded.every'),
          began_at: eb.ref('excluded.began_at'),
          ended_at: eb.ref('excluded.ended_at'),
          error: eb.ref('excluded.error'),
          error_at: eb.ref('excluded.error_at'),
          updated_at: eb.ref('excluded.updated_at'),
        })),
      )
      .execute()
    await this.#db
      .deleteFrom('scheduled_runs')
      .where('updated_at', '<', now - FORGOTTEN_AFTER)
      .execute()
  }
}
