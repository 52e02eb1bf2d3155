import { type Row, ratioAtLeast } from '../rows.ts'
import { inRounds, type Stage } from '../stage.ts'
import type { VaultPage } from './page.ts'

/** What of the vault is held against what. Users have a worker for each core; with one it has to be worth it too. */
const PAIRS = [
  { workers: 1, job: 'encrypt', against: 'sealInOneCall', floor: 0.7 },
  { workers: 1, job: 'decrypt', against: 'openInOneCall', floor: 0.55 },
  { workers: 2, job: 'encrypt', against: 'sealInOneCall', floor: 1 },
  { workers: 2, job: 'decrypt', against: 'openInOneCall', floor: 0.9 },
  { workers: 2, job: 'decrypt', against: 'openInMemory' },
]
const WORDS: Record<string, string> = {
  encrypt: 'encrypted from a file',
  decrypt: 'decrypted into a file',
  sealInOneCall: 'one call',
  openInOneCall: 'one call',
  openInMemory: 'one call, into memory',
}

/** How fast a file of `size` MiB, which the page has written, is encrypted and decrypted. */
export async function measureSpeeds(stage: Stage, page: VaultPage, size: number): Promise<Row[]> {
  const pairs = PAIRS.map((pair) => ({ ...pair, ours: [] as number[], theirs: [] as number[] }))
  await inRounds(stage, async () => {
    for (const { workers, job, against, ours, theirs } of pairs) {
      await page.ask('useWorkers', workers)
      theirs.push(size / (await page.ask(against)))
      ours.push(size / (await page.ask(job)))
    }
  })
  return pairs.map(({ workers, job, against, floor, ours, theirs }) => ({
    what: `${size} MiB ${WORDS[job]}, ${workers === 1 ? '1 worker' : `${workers} workers`}, MiB/s`,
    alcove: ours,
    reference: { name: WORDS[against] ?? against, figures: theirs },
    floor: floor === undefined ? undefined : ratioAtLeast(floor),
  }))
}
