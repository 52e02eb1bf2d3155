import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { KIBIBYTE } from '@alcove/contract/limits'
import { type Account, openAccount, startAlcove } from '../alcove.ts'
import { type Chromium, startChromium } from '../browser/chromium.ts'
import { openPage, type Page, sendFilesFromPage } from '../browser/page.ts'
import { alcoveTarget, bareTarget, nginxTarget, sendAll, type Target, type Via } from '../client/jobs.ts'
import { type Row, ratioAtLeast, valueAtLeast, valueAtMost } from '../measurements.ts'
import { withCpu } from '../processes.ts'
import { type Nginx, startBare, startNginx } from '../references.ts'
import { inRounds, type Part, type Stage, settle } from '../stage.ts'

const FILES = 1000
/** Warms up the server: one in use has already compiled its hot code. */
const WARM_UP_FILES = 2000
const SIZE = 10 * KIBIBYTE
const AT_ONCE = 6
/** Files per request if a request has many. More would leave some connections without a request. */
const TOGETHER = 100

interface Sending {
  target: Target
  folder: string
  files: number
  together?: number
  atOnce?: number
  isCompletedLater?: boolean
}

/** A way to send files. */
interface Sender {
  name: string
  /** Sends the files and returns the seconds. */
  send(sending: Sending): Promise<number>
}

/** Measures many small files, with many in a request as the web does and one by one, against a PUT of each to nginx. */
export const small: Part = {
  name: 'small',
  needsCurl: false,
  async run(stage) {
    const alcove = await startAlcove(stage.dir)
    const account = await openAccount(alcove)
    const nginx = await startNginx(stage.dir)
    const chromium = await startChromium(stage.dir)
    if (!chromium) stage.say('skips Chromium, because there is none: ALCOVE_CHROMIUM can name one')
    const senders = [
      ...(chromium ? [await inChromium(chromium, new URL(alcove.api).origin, nginx)] : []),
      byClient('fetch', 'by fetch'),
      byClient('http', 'by http.request'),
    ]

    const warmUps = { together: TOGETHER, alone: 1 }
    stage.say('warm-up')
    for (const { send } of senders) {
      if (nginx) await send({ target: nginxTarget(nginx), folder: 'warm-up', files: WARM_UP_FILES })
      for (const [kind, together] of Object.entries(warmUps)) {
        await send({ target: alcoveTarget(account), folder: `warm-up-${kind}`, files: WARM_UP_FILES, together })
      }
    }

    const figures = senders.map(() => ({ together: [] as number[], alone: [] as number[], nginx: [] as number[] }))
    await inRounds(stage, async (round) => {
      for (const [index, { name, send }] of senders.entries()) {
        const time = async (into: 'together' | 'alone' | 'nginx', target: Target, together?: number) => {
          await settle()
          const folder = `${name}-${round}-${into}`.replaceAll(' ', '-')
          figures[index]?.[into].push(FILES / (await send({ target, folder, files: FILES, together })))
        }
        await time('together', alcoveTarget(account), TOGETHER)
        await time('alone', alcoveTarget(account))
        if (nginx) await time('nginx', nginxTarget(nginx))
      }
    })
    chromium?.stop()
    const ways = await measureWays(stage, account, alcove.pid)
    return senders
      .flatMap(({ name }, index): Row[] => {
        const { together, alone, nginx } = figures[index] as (typeof figures)[number]
        const what = `${FILES.toLocaleString('en-US')} files of 10 KiB, ${AT_ONCE} requests at a time, ${name}`
        const reference = { name: 'nginx PUT', figures: nginx }
        return [
          {
            what: `${what}, up to ${TOGETHER} in one, files/s`,
            alcove: together,
            reference,
            floor: ratioAtLeast(0.5),
            aim: ratioAtLeast(0.7),
          },
          { what: `${what}, one in each, files/s`, alcove: alone, reference },
        ]
      })
      .concat(ways)
  },
}

/** The ways to send a file alone: with its completion or without, and how many at once. */
const WAYS = [
  { what: 'one request each', isCompletedLater: false, aims: { 1: 900, 6: 2000 } },
  { what: 'a chunk and its completion each', isCompletedLater: true, aims: { 1: 900, 6: 2000 } },
] as const

/** Each way against a bare Node.js server, which stores a file durably with one request and does nothing else. */
async function measureWays(stage: Stage, account: Account, pid: number): Promise<Row[]> {
  const bare = await startBare(stage.dir)
  const { send } = byClient('http', '')
  await send({ target: bareTarget(bare), folder: 'warm-up', files: WARM_UP_FILES })
  const rows: Row[] = []
  for (const { what, isCompletedLater, aims } of WAYS) {
    for (const atOnce of [1, 6] as const) {
      const ours = { speed: [] as number[], cpu: [] as number[] }
      const theirs = { speed: [] as number[], cpu: [] as number[] }
      const measure = async (into: typeof ours, server: number, sending: Sending) => {
        await settle()
        const { seconds, cpu } = await withCpu([server], () => send({ ...sending, atOnce }))
        into.speed.push(FILES / seconds)
        into.cpu.push((cpu / FILES) * 1000)
      }
      await inRounds(stage, async (round) => {
        const files = { folder: `${what}-${atOnce}-${round}`.replaceAll(' ', '-'), files: FILES }
        await measure(theirs, bare.pid, { ...files, target: bareTarget(bare) })
        await measure(ours, pid, { ...files, target: alcoveTarget(account), isCompletedLater })
      })
      const name = `${FILES.toLocaleString('en-US')} files of 10 KiB, ${what}, ${atOnce} at a time`
      const reference = (figures: number[]) => ({ name: 'bare Node.js, one request', figures })
      rows.push(
        {
          what: `${name}, files/s`,
          ...{ alcove: ours.speed, reference: reference(theirs.speed), aim: valueAtLeast(aims[atOnce]) },
        },
        {
          what: '… server CPU per file, ms',
          ...{ alcove: ours.cpu, reference: reference(theirs.cpu), aim: valueAtMost(0.8) },
        },
      )
    }
  }
  return rows
}

function byClient(via: Via, name: string): Sender {
  const send = ({ folder, ...sending }: Sending) =>
    sendAll({ atOnce: AT_ONCE, ...sending, via, folder: `${via}-${folder}`, size: SIZE })
  return { name, send }
}

/** Opens a page at each target, because a page sends to its own origin. */
async function inChromium(chromium: Chromium, alcove: string, nginx: Nginx | undefined): Promise<Sender> {
  const pages = new Map<Target['kind'], Page>([['alcove', await openPage(chromium, `${alcove}/`)]])
  if (nginx) {
    await writeFile(join(nginx.filesDir, 'page.html'), '<!doctype html><title>nginx</title>')
    pages.set('put', await openPage(chromium, `${nginx.url}/page.html`))
  }
  const send = ({ folder, ...sending }: Sending) => {
    const page = pages.get(sending.target.kind) as Page
    return page.call(sendFilesFromPage, { ...sending, folder: `page-${folder}`, size: SIZE, atOnce: AT_ONCE })
  }
  return { name: 'from a page in Chromium', send }
}
