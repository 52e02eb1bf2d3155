import { stat } from 'node:fs/promises'
import { type Account, startAlcove, timeStorage } from '../alcove.ts'
import { startChromium } from '../browser/chromium.ts'
import { openPage } from '../browser/page.ts'
import { median, type Row, ratioAtMost, valueAtMost } from '../measurements.ts'
import {
  BIT_RATE,
  findStream,
  makeForeignFilm,
  makeLargeFilm,
  openPaidAccount,
  seekFilm,
  startFilm,
  store,
} from '../media/films.ts'
import { measureLibraries } from '../media/library.ts'
import type { Watched, Watching } from '../media/stream-client.ts'
import { runToEnd } from '../processes.ts'
import { findProgram } from '../references.ts'
import { inRounds, type Part, type Stage, settle } from '../stage.ts'

const PLAYS = 20
const VIEWERS = 50
const WATCHED = 20
const BESIDE = 15_000

/** Measures music and video: large libraries, the time until a film plays, many viewers, and the effect of transcoding. */
export const media: Part = {
  name: 'media',
  needsCurl: false,
  async run(stage) {
    const rows = await measureLibraries(stage)
    if (findProgram('ffmpeg') === undefined) {
      stage.say('skips films, because ffmpeg is not installed: apt-get install ffmpeg')
      return rows
    }
    const account = await openPaidAccount(await startAlcove(stage.dir))
    stage.say('creates and uploads a large film')
    const film = await makeLargeFilm(stage.dir, 2 * stage.size)
    const { size } = await stat(film)
    const id = await store(account, film)
    await settle()
    rows.push(...(await measurePlaying(stage, account, id, `a film of ${Math.round(size / 1024 ** 2)} MiB`)))
    rows.push(...(await measureViewers(stage, account, { id, size })))
    rows.push(await measureBeside(stage, account))
    return rows
  },
}

async function measurePlaying(stage: Stage, account: Account, id: string, film: string): Promise<Row[]> {
  const chromium = await startChromium(stage.dir)
  if (!chromium) {
    stage.say('skips playback, because there is no Chromium: apt-get install chromium')
    return []
  }
  const starts: number[] = []
  const seeks: number[] = []
  // Any page of the origin works.
  const page = await openPage(chromium, `${account.api}/health`)
  await inRounds(stage, async (round) => {
    const [started, sought]: [number[], number[]] = [[], []]
    for (let time = 0; time < PLAYS; time += 1) started.push(await page.call(startFilm, { ...account, id }))
    // The seeks are spread over the film, never close to the previous one.
    for (let time = 0; time < PLAYS; time += 1) {
      sought.push(await page.call(seekFilm, (0.05 + 0.618 * (time + round)) % 0.95))
    }
    starts.push(median(started))
    seeks.push(median(sought))
  })
  chromium.stop()
  return [
    { what: `${film} in Chromium: from the click to the first frame, median of 20, ms`, alcove: starts },
    { what: '… from a seek to the first frame there, median of 20, ms', alcove: seeks },
  ].map((row) => ({ ...row, floor: valueAtMost(300) }))
}

async function measureViewers(stage: Stage, account: Account, film: { id: string; size: number }): Promise<Row[]> {
  const { url } = await findStream(account, film.id)
  const watched: Watched[] = []
  const rate = (BIT_RATE * 1e6) / 8
  await inRounds(stage, async () => {
    const seconds = Math.min(WATCHED, Math.floor(film.size / rate))
    const requested: Watching = { url, size: film.size, viewers: VIEWERS, seconds, rate }
    const printed = await runToEnd(process.execPath, [CLIENT], JSON.stringify(requested))
    watched.push(JSON.parse(printed) as Watched)
  })
  return [
    {
      what: `${VIEWERS} viewers at ${BIT_RATE} Mbit/s each: stalls`,
      alcove: watched.map(({ stalls }) => stalls),
      floor: valueAtMost(0),
    },
    { what: '… smallest lead over playback, s', alcove: watched.map(({ least }) => least) },
  ]
}

const CLIENT = `${import.meta.dirname}/../media/stream-client.ts`

/** Measures other requests while a film is transcoded without a pause. */
async function measureBeside(stage: Stage, account: Account): Promise<Row> {
  const id = await store(account, await makeForeignFilm(stage.dir))
  const [playlist = ''] = (await findStream(account, id)).playlists
  const row: Row & { reference: { figures: number[] } } = {
    what: 'GET /storage while a film is transcoded, median, ms',
    alcove: [],
    reference: { name: 'Alcove at rest', figures: [] },
    floor: ratioAtMost(2),
  }
  let next = 0
  await inRounds(stage, async () => {
    row.reference.figures.push(await timeStorage(account, AbortSignal.timeout(BESIDE), 0.5))
    const over = AbortSignal.timeout(BESIDE)
    const waits = timeStorage(account, over, 0.5)
    while (!over.aborted) {
      const response = await fetch(playlist.replace('/playlist?', `/segments/${next++}?`))
      if (!response.ok) throw new Error(`a segment failed with ${response.status}`)
      await response.arrayBuffer()
    }
    row.alcove.push(await waits)
  })
  return row
}
