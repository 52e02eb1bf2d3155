import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { GIGABYTE, MEBIBYTE } from '@alcove/contract/limits'
import { openAccount, startAlcove } from '../alcove.ts'
import { ratioAtLeast, valueAtMost } from '../measurements.ts'
import { withCpu } from '../processes.ts'
import { startBare, startNginx } from '../references.ts'
import { inRounds, type Part, settle } from '../stage.ts'
import { assertSameContent, putFile, uploadInChunks } from '../transfers.ts'

const AT_ONCE = 4

/** Measures the upload of a large file in chunks, against a PUT of the same bytes. */
export const up: Part = {
  name: 'up',
  needsCurl: true,
  async run(stage) {
    const source = await stage.source()
    const alcove = await startAlcove(stage.dir)
    const account = await openAccount(alcove)
    const bare = await startBare(stage.dir)
    const nginx = await startNginx(stage.dir)

    const speed = (seconds: number) => source.size / MEBIBYTE / seconds
    const perGib = (cpu: number) => (cpu / source.size) * GIGABYTE
    const put = async (server: { url: string; filesDir: string }, pids: number[]) => {
      await settle()
      const { seconds, cpu } = await withCpu(pids, () => putFile(`${server.url}/large`, source.path))
      await rm(join(server.filesDir, 'large'))
      return { speed: speed(seconds), cpu: perGib(cpu) }
    }
    const upload = async (filename: string, atOnce: number) => {
      await settle()
      const { seconds, cpu } = await withCpu([alcove.pid], () => uploadInChunks(account, source, filename, atOnce))
      return { speed: speed(seconds), cpu: perGib(cpu) }
    }

    stage.say('warm-up, which also compares the uploads with the source')
    await put(bare, [bare.pid])
    if (nginx) await put(nginx, nginx.pids)
    for (const atOnce of [1, AT_ONCE]) {
      await upload(`checked-${atOnce}`, atOnce)
      await assertSameContent(account, `checked-${atOnce}`, source)
    }

    const figures = { one: [], several: [], bare: [], nginx: [] } as Record<string, { speed: number; cpu: number }[]>
    await inRounds(stage, async (round) => {
      figures.bare?.push(await put(bare, [bare.pid]))
      figures.one?.push(await upload(`one-${round}`, 1))
      if (nginx) figures.nginx?.push(await put(nginx, nginx.pids))
      figures.several?.push(await upload(`several-${round}`, AT_ONCE))
    })
    const speeds = (who: string) => figures[who]?.map((figure) => figure.speed) ?? []
    const cpus = (who: string) => figures[who]?.map((figure) => figure.cpu) ?? []
    const large = `${source.size / MEBIBYTE} MiB up`
    return [
      {
        what: `${large} in chunks, MiB/s`,
        alcove: speeds('one'),
        reference: { name: 'bare Node PUT', figures: speeds('bare') },
        floor: ratioAtLeast(0.8),
      },
      {
        what: '… the same against nginx, MiB/s',
        alcove: speeds('one'),
        reference: { name: 'nginx PUT', figures: speeds('nginx') },
        aim: ratioAtLeast(0.75),
      },
      {
        what: `… ${AT_ONCE} chunks at a time, MiB/s`,
        alcove: speeds('several'),
        reference: { name: 'nginx PUT', figures: speeds('nginx') },
        aim: ratioAtLeast(0.9),
      },
      {
        what: '… server CPU, s per GiB',
        alcove: cpus('one'),
        reference: { name: 'nginx', figures: cpus('nginx') },
        aim: valueAtMost(1.8),
      },
      {
        what: `… server CPU, ${AT_ONCE} chunks at a time, s per GiB`,
        alcove: cpus('several'),
        reference: { name: 'nginx', figures: cpus('nginx') },
        aim: valueAtMost(1.8),
      },
    ]
  },
}
