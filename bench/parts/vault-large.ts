import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { MEBIBYTE } from '@alcove/contract/limits'
import { type Alcove, openAccount, startAlcove } from '../alcove.ts'
import { readBrowserMemory, startChromium, watchMemory } from '../browser/chromium.ts'
import { chooseFile, digestOf, says, writeRandomFile } from '../browser/large-file.ts'
import { connectToPage, type Page } from '../browser/page.ts'
import { type Row, valueAtMost } from '../measurements.ts'
import type { Part, Stage } from '../stage.ts'

const NAME = 'large.bin'
const PASSPHRASE = 'a quiet room, with 1 door'
const WEB = join(import.meta.dirname, '../../web/dist/index.html')
/** The transfer is stuck if it is slower than this, in bytes per second. */
const SLOWEST = 5 * MEBIBYTE
/** How long to wait until garbage is collected and idle workers have ended. */
const REST = 20_000

/** Measures a large file on the vault's screen: chosen, encrypted, uploaded and downloaded again. */
export const vaultLarge: Part = {
  name: 'vault-large',
  needsCurl: false,
  isOnRequest: true,
  async run(stage) {
    if (!existsSync(WEB)) {
      stage.say('skipped, because the web is not built: npm run build')
      return []
    }
    const alcove = await startAlcove(stage.dir)
    const { authorization } = await openAccount(alcove)
    givePlan(alcove)
    const chromium = await startChromium(stage.dir, alcove.api.replace(/api$/, 'terms'))
    if (!chromium) {
      stage.say('skipped, because there is no Chromium: ALCOVE_CHROMIUM can name one')
      return []
    }
    try {
      const page = await connectToPage(chromium.devtools)
      await openVault(page, alcove, authorization)
      return await measureTransfers(stage, page, chromium.pid)
    } finally {
      chromium.stop()
    }
  },
}

/** Uploads and downloads the file, and compares the result with the original. */
async function measureTransfers(stage: Stage, page: Page, pid: number): Promise<Row[]> {
  const within = 60_000 + (stage.size / SLOWEST) * 1000
  const size = `${stage.size / MEBIBYTE} MiB`
  stage.say(`writing ${size}`)
  const path = join(stage.dir, NAME)
  const written = await writeRandomFile(path, stage.size)
  await wait(REST)
  const atRest = readBrowserMemory(pid)

  stage.say('encrypting and sending')
  const startedAt = performance.now()
  const duringUpload = await watchMemory(pid, async () => {
    await chooseFile(page, 'form input[type=file]', path)
    await click(page, 'button[type=submit]', 'Upload and Encrypt File')
    await page.until(says('Encrypted file uploaded successfully.'), within)
  })
  const up = (performance.now() - startedAt) / 1000
  await rm(path)
  await wait(REST)

  stage.say('fetching and decrypting')
  const fetchedAt = performance.now()
  const saved = join(stage.dir, 'downloads', NAME)
  await page.command('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: join(stage.dir, 'downloads') })
  const duringDownload = await watchMemory(pid, async () => {
    await click(page, 'button', `Download & Decrypt ${NAME}`)
    await untilSaved(saved, within)
  })
  const down = (performance.now() - fetchedAt) / 1000
  if ((await digestOf(saved)) !== written) throw new Error('The downloaded file differs from the uploaded one.')
  return [
    { what: `${size} encrypted and uploaded, MiB/s`, alcove: [stage.size / MEBIBYTE / up] },
    { what: '… memory of the browser above rest, MiB', alcove: [duringUpload - atRest], floor: valueAtMost(200) },
    {
      what: `${size} downloaded, decrypted and saved, the same SHA-256, MiB/s`,
      alcove: [stage.size / MEBIBYTE / down],
    },
    { what: '… memory of the browser above rest, MiB', alcove: [duringDownload - atRest], floor: valueAtMost(200) },
  ]
}

function givePlan({ dataDir }: Alcove): void {
  const database = new DatabaseSync(join(dataDir, 'alcove.sqlite'), { timeout: 5000 })
  database.prepare("update users set plan_id = 7, plan_name = '2 TB Annually'").run()
  database.close()
}

/** Opens the vault with a session in the local storage, as after a login. */
async function openVault(page: Page, { api }: Alcove, authorization: string): Promise<void> {
  const session = { token: authorization.replace('Bearer ', ''), email: 'bench@example.com', planName: '2 TB Annually' }
  await page.until(`document.readyState === 'complete' && location.port`, 30_000)
  await page.evaluate(`Object.assign(localStorage, ${JSON.stringify({ ...session, planId: '7' })})`)
  await page.command('Page.navigate', { url: api.replace(/api$/, 'vault') })
  await page.until(`document.querySelector('[data-master-passphrase]')`, 30_000)
  await page.evaluate(`document.querySelector('[data-master-passphrase]').focus()`)
  await page.command('Input.insertText', { text: PASSPHRASE })
}

async function click(page: Page, selector: string, name: string): Promise<void> {
  const found = `[...document.querySelectorAll('${selector}')].find((one) => (one.ariaLabel ?? one.textContent) === ${JSON.stringify(name)})`
  await page.until(found, 30_000)
  await page.evaluate(`${found}.click()`)
}

/** Waits for the file. The browser uses another name until the download is complete. */
async function untilSaved(path: string, within: number): Promise<void> {
  const deadline = Date.now() + within
  while (!existsSync(path)) {
    if (Date.now() > deadline) throw new Error('The download took too long.')
    await wait(200)
  }
}
