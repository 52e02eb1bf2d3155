import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { KIBIBYTE } from '@alcove/contract/limits'
import { openAccount } from '../account.ts'
import { startAlcove } from '../alcove.ts'
import { type Chromium, startChromium } from '../browser/chromium.ts'
import { openPage, type Page } from '../browser/page.ts'
import { sendFilesFromPage } from '../browser/send-files.ts'
import type { Target, Via } from '../client/jobs.ts'
import { type Nginx, startNginx } from '../nginx.ts'
import { type Row, ratioAtLeast } from '../rows.ts'
import { alcoveTarget, nginxTarget, sendAll } from '../run-client.ts'
import { inRounds, type Part, settle } from '../stage.ts'

const FILES = 1000
/** A server in use has compiled what it does often; one just started has not. */
const WARM_UP_FILES = 2000
const SIZE = 10 * KIBIBYTE
const AT_ONCE = 6

/** Somebody who sends files to a target. */
interface Sender {
  name: string
  /** Answers the seconds. */
  send(target: Target, folder: string, files: number): Promise<number>
}

/** Many small files, each with one request, against nginx taking them by PUT. */
export const small: Part = {
  name: 'small',
  needsCurl: false,
  async run(stage) {
    const alcove = await startAlcove(stage.dir)
    const account = await openAccount(alcove)
    const nginx = await startNginx(stage.dir)
    const targets = [alcoveTarget(account), ...(nginx ? [nginxTarget(nginx)] : [])]
    const chromium = await startChromium(stage.dir)
    if (!chromium) stage.say('without Chromium, because there is none: ALCOVE_CHROMIUM can name one')
    const senders = [
      ...(chromium ? [await inChromium(chromium, new URL(alcove.api).origin, nginx)] : []),
      byClient('fetch', 'by fetch'),
      byClient('http', 'by http.request'),
    ]

    stage.say('everyone once')
    for (const target of targets) for (const { send } of senders) await send(target, 'warm-up', WARM_UP_FILES)

    const rows = senders.map(({ name }): Row & { reference: { figures: number[] } } => ({
      what: `${FILES.toLocaleString('en-US')} files of 10 KiB, ${AT_ONCE} at a time, ${name}, files/s`,
      alcove: [],
      reference: { name: 'nginx PUT', figures: [] },
      floor: ratioAtLeast(0.5),
      aim: ratioAtLeast(0.7),
    }))
    await inRounds(stage, async (round) => {
      for (const [index, { name, send }] of senders.entries()) {
        for (const target of targets) {
          await settle()
          const rate = FILES / (await send(target, `${name}-${round}`, FILES))
          const row = rows[index]
          const figures = target.kind === 'alcove' ? row?.alcove : row?.reference.figures
          figures?.push(rate)
        }
      }
    })
    chromium?.stop()
    return rows
  },
}

function byClient(via: Via, name: string): Sender {
  const send = (target: Target, folder: string, files: number) =>
    sendAll({ target, via, folder: `${via}-${folder}`, files, size: SIZE, atOnce: AT_ONCE })
  return { name, send }
}

/** A page at each of the two, since a page sends to its own origin. */
async function inChromium(chromium: Chromium, alcove: string, nginx: Nginx | undefined): Promise<Sender> {
  const pages = new Map<Target['kind'], Page>([['alcove', await openPage(chromium, `${alcove}/`)]])
  if (nginx) {
    await writeFile(join(nginx.filesDir, 'page.html'), '<!doctype html><title>nginx</title>')
    pages.set('nginx', await openPage(chromium, `${nginx.url}/page.html`))
  }
  const send = (target: Target, folder: string, files: number) => {
    const page = pages.get(target.kind) as Page
    return page.call(sendFilesFromPage, { target, folder: `page-${folder}`, files, size: SIZE, atOnce: AT_ONCE })
  }
  return { name: 'from a page in Chromium', send }
}
