import { MEBIBYTE } from '@alcove/contract/limits'
import { type Row, valueAtMost } from '../rows.ts'
import type { Part } from '../stage.ts'
import { openVaultPage, type VaultPage } from '../vault/page.ts'
import { measureSpeeds } from '../vault/speeds.ts'
import { readBrowserMemory, watchMemory } from '../vault/watch-memory.ts'

/** Larger than this, and one call has no memory for it. */
const COMPARED = 256

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
      const size = stage.size / MEBIBYTE
      const compared = Math.min(COMPARED, size)
      await page.ask('write', compared)
      return [...(await measureSpeeds(stage, page, compared)), ...(await measureMemory(page, size))]
    } finally {
      page.end()
    }
  },
}

/** What all processes of the browser take more than at rest, at most, for a large file. */
async function measureMemory(page: VaultPage, size: number): Promise<Row[]> {
  await page.ask('write', size)
  await page.ask('rest')
  const atRest = readBrowserMemory(page.pid)
  const rows: Row[] = []
  for (const [job, what] of [
    ['encrypt', 'encrypted'],
    ['decrypt', 'decrypted'],
  ] as const) {
    const max = await watchMemory(page.pid, () => page.ask(job))
    await page.ask('rest')
    rows.push({
      what: `memory above rest while ${size} MiB are ${what}, MiB`,
      alcove: [max - atRest],
      aim: valueAtMost(200),
    })
  }
  return rows
}
