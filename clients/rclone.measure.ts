import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { configureRclone, makeTree, type Rclone, runInParts, vendors } from './rclone.ts'
import { type ServedAccount, serveAccount } from './served-account.ts'

/** rclone waits 10 ms between two requests, so the list of these folders takes two seconds at least. */
const TREE = { files: 10_000, folders: 200 }
/** Seconds in which rclone must find that nothing has changed. */
const LIMIT = 3

let account: ServedAccount
let rclone: Rclone
beforeAll(async () => {
  account = await serveAccount()
  rclone = await configureRclone(account)
})
afterAll(() => account.close())

it.each(vendors)(
  'rclone with the vendor %s finds 10,000 unchanged files in less than three seconds',
  async (vendor) => {
    const tree = join(account.dir, vendor)
    await makeTree(tree, TREE)
    const time = async <T>(work: () => Promise<T>) => {
      const started = performance.now()
      const result = await work()
      return { result, seconds: (performance.now() - started) / 1000 }
    }
    const remote = `alcove:${vendor}`
    const sent = await time(() => runInParts(rclone, vendor, ['copy', tree, remote]))
    await rclone(vendor, ['sync', tree, remote])
    const checked = await time(() => runInParts(rclone, vendor, ['check', '--download', tree, remote]))
    const again = await time(() => rclone(vendor, ['sync', '-v', '--checkers', '16', tree, remote]))
    const [sending, checking, finding] = [sent, checked, again].map(({ seconds }) => seconds.toFixed(1))
    console.log(
      `${vendor}: 10,000 files sent in ${sending} s, compared in ${checking} s, nothing to do in ${finding} s`,
    )
    for (const output of checked.result) expect(output).toContain('0 differences found')
    expect(again.result.output).toMatch(/There was nothing to transfer/)
    expect(again.seconds).toBeLessThan(LIMIT)
  },
)
