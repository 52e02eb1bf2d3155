import { countDamaged, findUnusedBytes, isRoundOpen, readScrub } from '../../modules/storage/index.ts'
import type { Operator } from '../command.ts'
import { checkBlobs, type Mend } from './check-blobs.ts'
import { checkCounters, findWrongSizes } from './check-counters.ts'
import { listFilesOfBlob } from './list-files-of-blob.ts'

/** So many keys of bytes that nothing refers to are named. */
const NAMED = 20

/** Everything that `verify` looks at, also while the server runs; answers how much is wrong, and could not be mended. */
export async function runChecks(
  { services, print, tell }: Pick<Operator, 'services' | 'print' | 'tell'>,
  mend?: Mend,
): Promise<number> {
  const { db } = services
  const damaged = await checkBlobs(services, { print, tell }, mend)
  const wrongSizes = await findWrongSizes(db)
  for (const { blob_key, item_size, blob_size } of wrongSizes) {
    for (const file of await listFilesOfBlob(db, blob_key)) {
      print(`${file}: it is said to have ${item_size} bytes, its blob ${blob_size} (blob ${blob_key}).`)
    }
  }
  const wrongCounters = await checkCounters(db, print)
  await tellUnused({ services, print })
  await tellScrub({ services, print })
  return damaged + wrongSizes.length + wrongCounters
}

/** What the server has found by itself: it reads a share of the blobs each night. */
async function tellScrub({ services: { db }, print }: Pick<Operator, 'services' | 'print'>): Promise<void> {
  const state = await readScrub(db)
  const ended =
    state.round_ended_at === null ? 'has not ended yet' : `ended ${new Date(state.round_ended_at).toISOString()}`
  const rest = isRoundOpen(state) ? ', one is under way' : ''
  print(
    `The last nightly reading of stored bytes ${ended}${rest}. Noted as missing or damaged: ${await countDamaged(db)}.`,
  )
}

/** Bytes without a row are no fault: the server's sweep removes them, as it does what a crash has left. */
async function tellUnused({ services, print }: Pick<Operator, 'services' | 'print'>): Promise<void> {
  const old = new Names()
  await findUnusedBytes(services, (key) => old.add(key))
  const all = new Names()
  await findUnusedBytes(services, (key) => all.add(key), { withYoung: true })
  if (old.count > 0) print(`Bytes that nothing has referred to for a day: ${old}, removed by the server's next sweep.`)
  if (all.count > old.count) {
    print(`Bytes that nothing refers to, old and new: ${all}. Those of the last day may belong to files on their way.`)
  }
}

/** Counts names and keeps the first of them. */
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
