import type { z } from 'zod'
import type { Config } from '../../config.ts'
import type { Services } from '../../context.ts'
import type { Database, Tx } from '../../platform/db/database.ts'

/** How long a setting that was read is used again, in milliseconds: other servers follow a change within this time. */
const KEPT_FOR = 1000

/** What administrators can change while the server runs. */
export interface Setting<T> {
  /** The key in the database, such as `sign-up`. */
  readonly name: string
  readonly schema: z.ZodType<T>
  /** Returns the value until an administrator changes it. */
  readonly initial: (config: Config) => T
}

/** Defines a setting. Its module exports it, and reads it with `readSetting`. */
export function defineSetting<T>(setting: Setting<T>): Setting<T> {
  return setting
}

interface Kept {
  readonly value: unknown
  readonly until: number
}

const kept = new WeakMap<Database, Map<string, Kept>>()

/** Returns the value of a setting. It may be up to a second old if another server has changed it. */
export async function readSetting<T>({ db, config }: Pick<Services, 'db' | 'config'>, setting: Setting<T>): Promise<T> {
  const found = keptOf(db).get(setting.name)
  if (found && performance.now() < found.until) return found.value as T
  return readSettingAnew({ db, config }, setting)
}

/** Returns the value of a setting as it is in the database now. */
export async function readSettingAnew<T>(
  { db, config }: Pick<Services, 'db' | 'config'>,
  setting: Setting<T>,
): Promise<T> {
  const value = await fetchSetting(db, config, setting)
  keptOf(db).set(setting.name, { value, until: performance.now() + KEPT_FOR })
  return value
}

/**
 * Changes a setting, starting from its current value, and returns the new one. `change` runs in a transaction in which changes of the
 * same setting wait for each other; there it also notes the change in the audit log.
 */
export async function changeSetting<T>(
  services: Pick<Services, 'db' | 'config' | 'clock'>,
  setting: Setting<T>,
  change: (before: T, tx: Tx) => T | Promise<T>,
): Promise<T> {
  return changeSettings(services, (tx) => changeSettingIn(services, tx, setting, (before) => change(before, tx)))
}

/** Runs a transaction that changes several settings with `changeSettingIn`. */
export async function changeSettings<T>({ db }: Pick<Services, 'db'>, work: (tx: Tx) => Promise<T>): Promise<T> {
  const result = await db.transaction().execute(work)
  keptOf(db).clear()
  return result
}

/** Changes a setting in a transaction of `changeSettings`, and returns the new value. */
export async function changeSettingIn<T>(
  { config, clock }: Pick<Services, 'config' | 'clock'>,
  tx: Tx,
  setting: Setting<T>,
  change: (before: T) => T | Promise<T>,
): Promise<T> {
  const { name } = setting
  const initial = JSON.stringify(setting.initial(config))
  // Locks the row, which the first change creates.
  await tx
    .insertInto('site_settings')
    .values({ name, value: initial, updated_at: clock.now() })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ updated_at: clock.now() }))
    .execute()
  const changed = await change(await fetchSetting(tx, config, setting))
  await tx
    .updateTable('site_settings')
    .set({ value: JSON.stringify(changed) })
    .where('name', '=', name)
    .execute()
  keptOf(tx).delete(name)
  return changed
}

/** Reads a setting from the database. What an older or newer version of the server has written and can't be read counts as unset. */
async function fetchSetting<T>(db: Database, config: Config, { name, schema, initial }: Setting<T>): Promise<T> {
  const row = await db.selectFrom('site_settings').select('value').where('name', '=', name).executeTakeFirst()
  const read = row && schema.safeParse(JSON.parse(row.value))
  return read?.success ? read.data : initial(config)
}

function keptOf(db: Database): Map<string, Kept> {
  const values = kept.get(db) ?? new Map<string, Kept>()
  kept.set(db, values)
  return values
}
