import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fetchFile } from '@alcove/contract/bytes'
import type { OutputOf } from '@alcove/contract/call'
import { createFolder, listFiles } from '@alcove/contract/files'
import { MEBIBYTE } from '@alcove/contract/limits'
import { type Account, openAccount, send, startAlcove } from '../alcove.ts'
import { readBrowserMemory, startChromium, watchMemory } from '../browser/chromium.ts'
import { chooseFile, says, writeRandomFile } from '../browser/large-file.ts'
import { connectToPage } from '../browser/page.ts'
import { type Row, valueAtMost } from '../measurements.ts'
import type { Part, Stage } from '../stage.ts'

const NAME = 'large.bin'
const WEB = join(import.meta.dirname, '../../web/dist/index.html')
const PHONE = { width: 390, height: 844, deviceScaleFactor: 2, mobile: true }
/** How often the connections break, and for how long nothing gets through then, in milliseconds. */
const BREAKS = 3
const GAP = 5_000
/** The transfer is stuck if it is slower than this, in bytes per second. */
const SLOWEST = 5 * MEBIBYTE
/** How long to wait until garbage is collected. */
const REST = 10_000

/** Measures a large file that a visitor sends from a screen of a phone's size, while the connections break. */
export const requestLarge: Part = {
  name: 'request-large',
  needsCurl: false,
  isOnRequest: true,
  async run(stage) {
    if (!existsSync(WEB)) {
      stage.say('skipped, because the web is not built: npm run build')
      return []
    }
    const alcove = await startAlcove(stage.dir)
    const account = await openAccount(alcove)
    const line = await openLine(Number(new URL(alcove.api).port))
    const chromium = await startChromium(stage.dir)
    if (!chromium) {
      stage.say('skipped, because there is no Chromium: ALCOVE_CHROMIUM can name one')
      return []
    }
    try {
      return await measure(stage, account, line, chromium)
    } finally {
      chromium.stop()
      line.close()
    }
  },
}

async function measure(
  stage: Stage,
  account: Account,
  line: Line,
  chromium: { pid: number; devtools: string },
): Promise<Row[]> {
  const within = 60_000 + (stage.size / SLOWEST) * 1000
  const size = `${stage.size / MEBIBYTE} MiB`
  const path = join(stage.dir, NAME)
  stage.say(`writing ${size}`)
  const written = await writeRandomFile(path, stage.size)
  const { folderId, token } = await requestFiles(account)
  const page = await connectToPage(chromium.devtools)
  await page.command('Emulation.setDeviceMetricsOverride', PHONE)
  await page.command('Emulation.setTouchEmulationEnabled', { enabled: true })
  await page.command('Page.navigate', { url: `${line.origin}/s/${token}` })
  await page.until(says('Choose files'), 30_000)
  await wait(REST)
  const atRest = readBrowserMemory(chromium.pid)

  stage.say('sending')
  const startedAt = performance.now()
  const during = await watchMemory(chromium.pid, async () => {
    await chooseFile(page, 'input[type=file]:not([webkitdirectory])', path)
    const arrived = page.until(says('Thank you'), within)
    for (let times = 1; times <= BREAKS; times += 1) {
      await line.untilSent((stage.size * times) / (BREAKS + 1), within)
      stage.say(`break ${times} of ${BREAKS}`)
      await line.breakFor(GAP)
    }
    await arrived
  })
  const seconds = (performance.now() - startedAt) / 1000
  const response = await fetch(`${account.api}${listFiles.path}?folderId=${folderId}`, {
    headers: { authorization: account.authorization },
  })
  const { files } = (await response.json()) as OutputOf<typeof listFiles>
  const [file] = files
  if (files.length !== 1 || file?.name !== NAME) throw new Error('The folder doesn’t have exactly this file.')
  if ((await digestOfStored(account, folderId)) !== written) throw new Error('The file differs from what was sent.')
  return [
    {
      what: `${size} from a phone-sized page, ${BREAKS} breaks, the same SHA-256, MiB/s`,
      alcove: [stage.size / MEBIBYTE / seconds],
    },
    {
      what: '… bytes sent, compared with its size, %',
      alcove: [(line.sent() / stage.size) * 100],
      floor: valueAtMost(115),
    },
    { what: '… memory of the browser above rest, MiB', alcove: [during - atRest] },
  ]
}

/** Creates a folder with a link through which others send files. */
async function requestFiles(account: Account): Promise<{ folderId: string; token: string }> {
  const { id: folderId } = await send(account, createFolder, { folderName: 'Received' })
  const response = await fetch(`${account.api}/items/${folderId}/links`, {
    method: 'POST',
    headers: { authorization: account.authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ label: 'Films', right: 'upload' }),
  })
  if (!response.ok) throw new Error(`The link wasn't created: ${await response.text()}`)
  const { link } = (await response.json()) as { link: string }
  return { folderId, token: link.slice(link.lastIndexOf('/') + 1) }
}

async function digestOfStored({ api, authorization }: Account, folderId: string): Promise<string> {
  const response = await fetch(`${api}${fetchFile.path}?filename=${NAME}&folderId=${folderId}`, {
    headers: { authorization },
  })
  if (!response.ok) throw new Error(`The download returned ${response.status}.`)
  const hash = createHash('sha256')
  for await (const piece of response.body ?? []) hash.update(piece)
  return hash.digest('hex')
}

/** What lies between the browser and the server, and can break. */
interface Line {
  readonly origin: string
  /** Returns how many bytes the browser has sent. */
  sent(): number
  untilSent(bytes: number, within: number): Promise<void>
  /** Cuts off all connections, and lets no new ones through for a while. */
  breakFor(milliseconds: number): Promise<void>
  close(): void
}

async function openLine(port: number): Promise<Line> {
  const sockets = new Set<Socket>()
  let isBroken = false
  let sent = 0
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  }
  const server = createServer((near) => {
    if (isBroken) return near.destroy()
    const far = connect(port, '127.0.0.1')
    keep(near)
    keep(far)
    near.on('data', (bytes) => (sent += bytes.length)).on('close', () => far.destroy())
    far.on('close', () => near.destroy())
    near.pipe(far).pipe(near)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    sent: () => sent,
    untilSent: async (bytes, within) => {
      const deadline = Date.now() + within
      while (sent < bytes) {
        if (Date.now() > deadline) throw new Error('The transfer is stuck.')
        await wait(100)
      }
    },
    breakFor: async (milliseconds) => {
      isBroken = true
      cut()
      await wait(milliseconds)
      isBroken = false
    },
    close: () => {
      server.close()
      cut()
    },
  }
}
