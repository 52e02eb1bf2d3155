import type { Options } from './options.ts'
import { runToEnd } from './processes.ts'
import type { Row } from './rows.ts'
import type { Source } from './source.ts'

/** What a part is given. Whatever it starts, and all it writes into its directory, goes when the part ends. */
export interface Stage extends Pick<Options, 'rounds' | 'size'> {
  dir: string
  /** The large file, made when first asked for. */
  source(): Promise<Source>
  say(progress: string): void
}

export interface Part {
  name: string
  /** Transfers large files with curl. */
  needsCurl: boolean
  /** Only run when it is named: it takes long. */
  isOnRequest?: boolean
  run(stage: Stage): Promise<Row[]>
}

/** Makes the disk finish what an earlier measurement left it to write, so that the next one does not pay for it. */
export async function settle(): Promise<void> {
  await runToEnd('sync', [])
}

/** Does the same in each round, and gathers what each gives. */
export async function inRounds(stage: Stage, work: (round: number) => Promise<void>): Promise<void> {
  for (let round = 1; round <= stage.rounds; round += 1) {
    stage.say(`round ${round} of ${stage.rounds}`)
    await work(round)
  }
}
