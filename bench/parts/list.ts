import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listFiles } from '@alcove/contract/files'
import { listItems } from '@alcove/contract/item-calls'
import { KIBIBYTE } from '@alcove/contract/limits'
import { findFolderId, openAccount, startAlcove } from '../alcove.ts'
import { alcoveTarget, type Page, runClient } from '../client/jobs.ts'
import { median, ratioAtMost, valueAtMost } from '../measurements.ts'
import { startNginx } from '../references.ts'
import { inRounds, type Part, settle } from '../stage.ts'

const FILES = 10_000
const FOLDER = 'ten-thousand'
const TIMES = 20

/** Measures filling a folder with 10,000 files, and its complete list against the same bytes from nginx. */
export const list: Part = {
  name: 'list',
  needsCurl: false,
  async run(stage) {
    const account = await openAccount(await startAlcove(stage.dir))
    const nginx = await startNginx(stage.dir)
    const { authorization } = account

    stage.say(`${FILES.toLocaleString('en-US')} files are uploaded`)
    const target = alcoveTarget(account)
    const job = { target, via: 'fetch', folder: FOLDER, files: FILES, size: KIBIBYTE, atOnce: 6 } as const
    const filled = await runClient({ work: 'send files', ...job })
    if (filled.firstFailure) stage.say(`the first failure: ${filled.firstFailure}`)

    const folderId = await findFolderId(account, FOLDER)
    const page: Page = { url: `${account.api}${listFiles.path}?folderId=${folderId}`, headers: { authorization } }
    const response = Buffer.from(await (await fetch(page.url, page)).arrayBuffer())
    const { files } = JSON.parse(response.toString()) as { files: unknown[] }
    if (files.length + filled.failed !== FILES) {
      throw new Error(`The list has ${files.length} files, but ${FILES} were sent and ${filled.failed} failed.`)
    }
    const first: Page = { ...page, url: `${account.api}${listItems.path}?folderId=${folderId}&limit=200` }
    const pages = [page, first]
    if (nginx) {
      await writeFile(join(nginx.filesDir, 'list.json'), response, { mode: 0o644 })
      pages.push({ url: `${nginx.url}/list.json`, headers: {} })
    }
    await settle()
    await runClient({ work: 'time pages', pages, times: 3 })

    const ours: number[] = []
    const firsts: number[] = []
    const theirs: number[] = []
    await inRounds(stage, async () => {
      const { milliseconds } = await runClient({ work: 'time pages', pages, times: TIMES })
      if (milliseconds[0]) ours.push(median(milliseconds[0]))
      if (milliseconds[1]) firsts.push(median(milliseconds[1]))
      if (milliseconds[2]) theirs.push(median(milliseconds[2]))
    })
    return [
      { what: '10,000 files into a folder, 6 at a time, files/s', alcove: [FILES / filled.seconds] },
      { what: '… failed uploads', alcove: [filled.failed], floor: valueAtMost(0) },
      {
        what: 'list of the 10,000, complete, ms',
        alcove: ours,
        reference: { name: 'nginx, the same JSON', figures: theirs },
        floor: valueAtMost(150),
        aim: ratioAtMost(2.5),
      },
      { what: '… its first page of 200, ms', alcove: firsts, aim: valueAtMost(5) },
    ]
  },
}
