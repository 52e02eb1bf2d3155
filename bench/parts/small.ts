import { KIBIBYTE } from '@alcove/contract/limits'
import { openAccount } from '../account.ts'
import { startAlcove } from '../alcove.ts'
import type { Target, Via } from '../client/jobs.ts'
import { startNginx } from '../nginx.ts'
import { type Row, ratioAtLeast } from '../rows.ts'
import { alcoveTarget, nginxTarget, sendAll } from '../run-client.ts'
import { inRounds, type Part, settle } from '../stage.ts'

const FILES = 1000
const WARM_UP_FILES = 200
const SIZE = 10 * KIBIBYTE
const AT_ONCE = 6
const VIAS: Via[] = ['fetch', 'http']

/** Many small files, each with one request, against nginx taking them by PUT. */
export const small: Part = {
  name: 'small',
  needsCurl: false,
  async run(stage) {
    const account = await openAccount(await startAlcove(stage.dir))
    const nginx = await startNginx(stage.dir)
    const targets = [alcoveTarget(account), ...(nginx ? [nginxTarget(nginx)] : [])]
    const send = async (target: Target, via: Via, folder: string, files: number) =>
      files / (await sendAll({ target, via, folder, files, size: SIZE, atOnce: AT_ONCE }))

    stage.say('everyone once')
    for (const target of targets) await send(target, 'http', 'warm-up', WARM_UP_FILES)

    const rows = VIAS.map((via): Row & { reference: { figures: number[] } } => ({
      what: `${FILES.toLocaleString('en-US')} files of 10 KiB, ${AT_ONCE} at a time, ${clientName(via)}, files/s`,
      alcove: [],
      reference: { name: 'nginx PUT', figures: [] },
      floor: ratioAtLeast(0.5),
      aim: ratioAtLeast(0.7),
    }))
    await inRounds(stage, async (round) => {
      for (const [index, via] of VIAS.entries()) {
        for (const target of targets) {
          await settle()
          const rate = await send(target, via, `${via}-${round}`, FILES)
          const row = rows[index]
          const figures = target.kind === 'alcove' ? row?.alcove : row?.reference.figures
          figures?.push(rate)
        }
      }
    })
    return rows
  },
}

function clientName(via: Via): string {
  return via === 'fetch' ? 'by fetch' : 'by http.request'
}
