import { MEBIBYTE } from '@alcove/contract/limits'
import { readBrowserMemory, watchMemory } from '../browser/chromium.ts'
import { type Row, ratioAtLeast, valueAtMost } from '../measurements.ts'
import { inRounds, type Part, type Stage } from '../stage.ts'
import { openVaultPage, type VaultPage } from '../vault/page.ts'

/** The largest size in MiB for which one call of WebCrypto has enough memory. */
const COMPARED = 256

/** Measures encryption and decryption in Chromium against one call of WebCrypto, and the memory for a large file. */
export const vault: Part = {
  name: 'vault',
  needsCurl: false,
  async run(stage) {
    const page = await openVaultPage(stage.dir)
    if (!page) {
      stage.say('skipped, because there is no Chromium: ALCOVE_CHROMIUM can name one')
      return []
    }
    try {
      const size = stage.size / MEBIBYTE
      const compared = Math.min(COMPARED, size)
      await page.run('write', compared)
      return [...(await measureSpeeds(stage, page, compared)), ...(await measureMemory(page, size))]
    } finally {
      page.end()
    }
  },
}

/** Measures how much more memory than at rest the browser uses for a large file. */
async function measureMemory(page: VaultPage, size: number): Promise<Row[]> {
  await page.run('write', size)
  await page.run('rest')
  const atRest = readBrowserMemory(page.pid)
  const rows: Row[] = []
  for (const [job, what] of [
    ['encrypt', 'encrypted'],
    ['decrypt', 'decrypted'],
  ] as const) {
    const max = await watchMemory(page.pid, () => page.run(job))
    await page.run('rest')
    rows.push({
      what: `memory above rest while ${size} MiB are ${what}, MiB`,
      alcove: [max - atRest],
      aim: valueAtMost(200),
    })
  }
  return rows
}

/** The comparisons. Users have a worker per core, but one worker has to be fast enough too. */
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

/** Measures how fast the page encrypts and decrypts its file of `size` MiB. */
async function measureSpeeds(stage: Stage, page: VaultPage, size: number): Promise<Row[]> {
  const pairs = PAIRS.map((pair) => ({ ...pair, ours: [] as number[], theirs: [] as number[] }))
  await inRounds(stage, async () => {
    for (const { workers, job, against, ours, theirs } of pairs) {
      await page.run('useWorkers', workers)
      theirs.push(size / (await page.run(against)))
      ours.push(size / (await page.run(job)))
    }
  })
  return pairs.map(({ workers, job, against, floor, ours, theirs }) => ({
    what: `${size} MiB ${WORDS[job]}, ${workers === 1 ? '1 worker' : `${workers} workers`}, MiB/s`,
    alcove: ours,
    reference: { name: WORDS[against] ?? against, figures: theirs },
    floor: floor === undefined ? undefined : ratioAtLeast(floor),
  }))
}
