import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { GIGABYTE, MEBIBYTE } from '@alcove/contract/limits'
import { openAccount, startAlcove } from '../alcove.ts'
import { median, ratioAtLeast, ratioAtMost, valueAtMost } from '../measurements.ts'
import { withCpu } from '../processes.ts'
import { startNginx } from '../references.ts'
import { inRounds, type Part, settle } from '../stage.ts'
import {
  alcoveDownload,
  assertSameContent,
  type Download,
  download,
  downloadRanges,
  signedDownload,
  uploadInChunks,
} from '../transfers.ts'

const FILENAME = 'large'
const RANGES = 200
const RANGE = MEBIBYTE

interface Statistics {
  speed: number[]
  cpu: number[]
  range: number[]
  signed: number[]
}

/** Measures the download of a large file, whole and in ranges, against nginx with sendfile. */
export const down: Part = {
  name: 'down',
  needsCurl: true,
  async run(stage) {
    const source = await stage.source()
    const alcove = await startAlcove(stage.dir)
    const account = await openAccount(alcove)
    const nginx = await startNginx(stage.dir)

    stage.say('warm-up, which also compares the download with the source')
    await uploadInChunks(account, source, FILENAME, 1)
    await assertSameContent(account, FILENAME, source)
    const fromAlcove = alcoveDownload(account, FILENAME)
    const fromNginx: Download | undefined = nginx && { url: `${nginx.url}/${FILENAME}`, args: [] }
    if (nginx && fromNginx) {
      await copyFile(source.path, join(nginx.filesDir, FILENAME))
      await download(fromNginx, source.size)
    }
    await settle()

    const measure = async (figures: Statistics, pids: number[], from: Download, starts: number[]) => {
      const { seconds, cpu } = await withCpu(pids, () => download(from, source.size))
      figures.speed.push(source.size / MEBIBYTE / seconds)
      figures.cpu.push((cpu / source.size) * GIGABYTE)
      figures.range.push(median(await downloadRanges(from, starts, RANGE)) * 1000)
    }
    const ours: Statistics = { speed: [], cpu: [], range: [], signed: [] }
    const theirs: Statistics = { speed: [], cpu: [], range: [], signed: [] }
    const signed = await signedDownload(account, FILENAME)
    const measureSigned = async (figures: Statistics, from: Download, starts: number[]) => {
      figures.signed.push(median(await downloadRanges(from, starts, RANGE)) * 1000)
    }
    await inRounds(stage, async () => {
      const starts = Array.from({ length: RANGES }, () => Math.floor(Math.random() * (source.size - RANGE)))
      await measure(ours, [alcove.pid], fromAlcove, starts)
      if (nginx && fromNginx) await measure(theirs, nginx.pids, fromNginx, starts)
      if (fromNginx) await measureSigned(theirs, fromNginx, starts)
      await measureSigned(ours, signed, starts)
    })
    return [
      {
        what: `${source.size / MEBIBYTE} MiB down, MiB/s`,
        alcove: ours.speed,
        reference: { name: 'nginx', figures: theirs.speed },
        floor: ratioAtLeast(0.9),
        aim: ratioAtLeast(1.2),
      },
      {
        what: '… server CPU, s per GiB',
        alcove: ours.cpu,
        reference: { name: 'nginx', figures: theirs.cpu },
        floor: ratioAtMost(1.5),
        aim: valueAtMost(0.4),
      },
      {
        what: `1 MiB range of it, p50 of ${RANGES}, ms`,
        alcove: ours.range,
        reference: { name: 'nginx', figures: theirs.range },
        aim: ratioAtMost(1.2),
      },
      {
        what: '… by a signed address, ms',
        alcove: ours.signed,
        reference: { name: 'nginx', figures: theirs.signed },
        aim: ratioAtMost(0.8),
      },
    ]
  },
}
