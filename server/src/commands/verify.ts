import { sql } from 'kysely'
import { countDamaged, findUnusedBytes, isRoundOpen, readScrub } from '../modules/storage/index.ts'
import type { Database } from '../platform/db/database.ts'
import { checkBlobs, listFilesOfBlob, type Repair } from './check-blobs.ts'
import { type Command, CommandError, type Operator } from './command.ts'
import { showPhase } from './progress.ts'

export const verify: Command = {
  name: 'verify',
  parameters: [],
  summary: "Check every blob's size and digest, and the counters of all users",
  async run(operator) {
    const faults = await runChecks(operator)
    if (faults > 0) throw new CommandError(`Found ${faults} ${faults === 1 ? 'fault' : 'faults'}.`)
    operator.print('No faults found.')
  },
}

/** The maximum number of unused blobs that are listed. */
const NAMED = 20

/** Runs all checks, which is safe while the server runs. Returns the number of faults that are left. */
export async function runChecks(
  operator: Pick<Operator, 'services' | 'print' | 'tell' | 'status'>,
  repair?: Repair,
): Promise<number> {
  const { services, print } = operator
  const { db } = services
  const damaged = await checkBlobs(services, operator, repair)
  showPhase(operator, 'Comparing the sizes of files and blobs')
  const wrongSizes = await findWrongSizes(db)
  for (const { blob_key, item_size, blob_size } of wrongSizes) {
    for (const file of await listFilesOfBlob(db, blob_key)) {
      print(`${file}: recorded with ${item_size} bytes, but its blob has ${blob_size} (blob ${blob_key}).`)
    }
  }
  showPhase(operator, 'Checking the counters of users')
  const wrongCounters = await checkCounters(db, print)
  showPhase(operator, 'Looking for bytes without a file')
  await reportUnused({ services, print })
  await reportScrub({ services, print })
  return damaged + wrongSizes.length + wrongCounters
}

/** Reports the faults that the server has found: it reads a share of the blobs each night. */
async function reportScrub({ services: { db }, print }: Pick<Operator, 'services' | 'print'>): Promise<void> {
  const state = await readScrub(db)
  const ended =
    state.round_ended_at === null ? 'has not ended yet' : `ended ${new Date(state.round_ended_at).toISOString()}`
  const rest = isRoundOpen(state) ? ', one is under way' : ''
  print(`The last nightly scrub ${ended}${rest}. Recorded as missing or damaged: ${await countDamaged(db)}.`)
}

/** Reports bytes without a row. They are no fault: a crash may leave them, and the server's sweep removes them. */
async function reportUnused({ services, print }: Pick<Operator, 'services' | 'print'>): Promise<void> {
  const old = new Names()
  await findUnusedBytes(services, (key) => old.add(key))
  const all = new Names()
  await findUnusedBytes(services, (key) => all.add(key), { withYoung: true })
  if (old.count > 0) print(`Unused bytes older than a day: ${old}, which the server's next sweep removes.`)
  if (all.count > old.count) {
    print(`Unused bytes, old and new: ${all}. Those of the last day may belong to running uploads.`)
  }
}

/** Counts names and remembers the first ones. */
class Names {
  count = 0
  readonly #first: string[] = []

  add(name: string): void {
    this.count += 1
    if (this.#first.length < NAMED) this.#first.push(name)
  }

  toString(): string {
    return `${this.count} (${this.#first.join(' ')}${this.count > NAMED ? ' …' : ''})`
  }
}

interface UserCounters {
  email: string
  used_bytes: number
  version_bytes: number
  property_bytes: number
  reserved_bytes: number
  item_count: number
  /** The total size of the user's files with their versions, of the versions alone, of properties, and of unfinished uploads. */
  stored: number
  earlier: number
  described: number
  arriving: number
  items: number
}

interface WrongSize {
  blob_key: string
  item_size: number
  blob_size: number
}

/**
 * Compares the counters of each user with the sums of their files, versions and properties, including the trash and the vault, of their
 * unfinished uploads, and with the number of their items. The counters of deleted accounts don't matter. It is one statement, so that a
 * running server can't change the numbers in between.
 */
export async function checkCounters(db: Database, print: (line: string) => void): Promise<number> {
  const { rows } = await sql<UserCounters>`
    select email, used_bytes, version_bytes, property_bytes, reserved_bytes, item_count, stored, earlier, described, arriving, items from (
      select email, deleted_at, used_bytes, version_bytes, property_bytes, users.reserved_bytes, item_count,
        cast(coalesce(files.items, 0) as bigint) as items,
        cast(coalesce(files.bytes, 0) + coalesce(history.bytes, 0) as bigint) as stored,
        cast(coalesce(history.bytes, 0) as bigint) as earlier, cast(coalesce(properties.bytes, 0) as bigint) as described,
        cast(coalesce(unfinished.bytes, 0) as bigint) as arriving
      from users
      left join (select owner_id, sum(size) as bytes, count(*) as items from items where parent_id is not null and mount_of is null group by owner_id) files
        on files.owner_id = users.id
      left join (select owner_id, sum(size) as bytes from versions group by owner_id) history on history.owner_id = users.id
      left join (
        select owner_id, sum(item_properties.size) as bytes from item_properties join items on items.id = item_id group by owner_id
      ) properties on properties.owner_id = users.id
      left join (select owner_id, sum(reserved_bytes) as bytes from uploads where completed_at is null group by owner_id)
        unfinished on unfinished.owner_id = users.id) counters
    where deleted_at is null and (used_bytes <> stored or version_bytes <> earlier or property_bytes <> described
      or reserved_bytes <> arriving or item_count <> items) order by email`.execute(db)
  for (const row of rows) {
    const { email, used_bytes, version_bytes, reserved_bytes, item_count, stored, earlier, arriving, items } = row
    const { property_bytes, described } = row
    if (used_bytes !== stored)
      print(`${email}: ${used_bytes} bytes are recorded as used, but the files and versions have ${stored}.`)
    if (version_bytes !== earlier)
      print(`${email}: ${version_bytes} bytes are recorded for versions, but the versions have ${earlier}.`)
    if (property_bytes !== described)
      print(`${email}: ${property_bytes} bytes are recorded for properties, but the properties have ${described}.`)
    if (item_count !== items) {
      print(`${email}: ${item_count} files and folders are recorded, but there ${items === 1 ? 'is' : 'are'} ${items}.`)
    }
    if (reserved_bytes !== arriving) {
      print(`${email}: ${reserved_bytes} bytes are recorded as reserved, but the unfinished uploads have ${arriving}.`)
    }
  }
  const { users } = await db
    .selectFrom('users')
    .select((eb) => eb.fn.countAll<number>().as('users'))
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  const state = rows.length === 0 ? 'all counters are right' : ''
  print(`Users: ${users}, ${state || `the counters of ${rows.length} are wrong`}.`)
  return rows.length
}

/** Finds files and versions whose recorded size differs from that of their bytes. */
export async function findWrongSizes(db: Database): Promise<WrongSize[]> {
  const { rows } = await sql<WrongSize>`
    select items.blob_key, items.size as item_size, blobs.size as blob_size
    from items join blobs on blobs.key = items.blob_key where items.size <> blobs.size
    union
    select versions.blob_key, versions.size, blobs.size
    from versions join blobs on blobs.key = versions.blob_key where versions.size <> blobs.size`.execute(db)
  return rows
}
