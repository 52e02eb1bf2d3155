import { MEBIBYTE } from '@alcove/contract/limits'
import { readDescendants, readMemory } from '../process-figures.ts'
import { type Row, ratioAtLeast, valueAtMost } from '../rows.ts'
import { inRounds, type Part, type Stage } from '../stage.ts'
import { openVaultPage, type VaultPage } from '../vault/page.ts'

/** Larger than this, and one call has no memory for it. */
const COMPARED = 256
const OFTEN = 250

/** Encrypting and decrypting in Chromium: against one call of WebCrypto, and what it takes of memory. */
export const vault: Part = {
  name: 'vault',
  needsCurl: false,
  async run(stage) {
    const page = await openVaultPage(stage.dir)
    if (!page) {
      stage.say('left out, because there is no Chromium: ALCOVE_CHROMIUM can name one')
      return []
    }
    try {
      return await measure(stage, page)
    } finally {
      // What starts Chromium may be a script that ends without it.
      for (const pid of readDescendants(page.pid).slice(1)) endProcess(pid)
    }
  },
}

async function measure(stage: Stage, page: VaultPage): Promise<Row[]> {
  const size = Math.min(COMPARED, stage.size / MEBIBYTE)
  const figures = { encrypt: [] as number[], decrypt: [] as number[], sealed: [] as number[], opened: [] as number[] }
  await page.ask('write', size)
  await inRounds(stage, async () => {
    figures.sealed.push(size / (await page.ask('sealInOneCall', size)))
    figures.encrypt.push(size / (await page.ask('encrypt', size)))
    figures.opened.push(size / (await page.ask('openInOneCall', size)))
    figures.decrypt.push(size / (await page.ask('decrypt', size)))
  })
  return [
    compare(`${size} MiB encrypted from a file, MiB/s`, figures.encrypt, figures.sealed, 0.7),
    compare(`${size} MiB decrypted into a file, MiB/s`, figures.decrypt, figures.opened, 0.55),
    ...(await measureMemory(page, stage.size / MEBIBYTE)),
  ]
}

function compare(what: string, alcove: number[], figures: number[], floor: number): Row {
  return { what, alcove, reference: { name: 'one call', figures }, floor: ratioAtLeast(floor), aim: ratioAtLeast(1) }
}

/** What all processes of the browser take more than at rest, at most, for a large file. */
async function measureMemory(page: VaultPage, size: number): Promise<Row[]> {
  await page.ask('write', size)
  await page.ask('rest', size)
  const read = () => readDescendants(page.pid).reduce((sum, pid) => sum + readPss(pid), 0) / MEBIBYTE
  const atRest = read()
  const rows: Row[] = []
  for (const [job, what] of [
    ['encrypt', 'encrypted'],
    ['decrypt', 'decrypted'],
  ] as const) {
    let most = 0
    const watch = setInterval(() => {
      most = Math.max(most, read())
    }, OFTEN)
    await page.ask(job, size).finally(() => clearInterval(watch))
    await page.ask('rest', size)
    rows.push({
      what: `memory above rest while ${size} MiB are ${what}, MiB`,
      alcove: [most - atRest],
      aim: valueAtMost(200),
    })
  }
  return rows
}

/** A process may have ended since it was listed. */
function readPss(pid: number): number {
  try {
    return readMemory(pid).pss
  } catch {
    return 0
  }
}

function endProcess(pid: number): void {
  try {
    process.kill(pid)
  } catch {
    // It has ended by itself.
  }
}
