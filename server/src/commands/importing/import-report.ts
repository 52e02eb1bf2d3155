import { closeSync, openSync, writeSync } from 'node:fs'
import { describeSize } from '../../modules/items/index.ts'
import { CommandError, type Operator } from '../command.ts'

/** How many skipped paths are printed. The file of `--report` has all. */
const PRINTED = 1000

interface Count {
  files: number
  bytes: number
}

/** Counts what an import or export does, and collects what it skips. */
export class TransferReport {
  readonly done: Count = { files: 0, bytes: 0 }
  readonly present: Count = { files: 0, bytes: 0 }
  readonly #startedAt = performance.now()
  readonly #skipped: string[] = []
  readonly #file: number | undefined
  #skippedCount = 0

  /** `path` is the file to which each skipped path is written at once. */
  constructor(path: string | undefined) {
    this.#file = path === undefined ? undefined : openReport(path)
  }

  readonly skip = (origin: string, reason: string): void => {
    this.#skippedCount += 1
    const line = `${origin}: ${reason}`
    if (this.#file !== undefined) writeSync(this.#file, `${line.replaceAll('\n', '\\n')}\n`)
    if (this.#skipped.length < PRINTED) this.#skipped.push(line)
  }

  get skippedCount(): number {
    return this.#skippedCount
  }

  /** Prints the report: `did` is what was done to the files, such as `Imported`. */
  print(did: string, print: Operator['print']): void {
    const seconds = Math.max((performance.now() - this.#startedAt) / 1000, 0.1)
    const rate = describeSize(Math.round(this.done.bytes / seconds))
    print(`${did}: ${describeCount(this.done)} in ${seconds.toFixed(1)} s (${rate}/s).`)
    if (this.present.files > 0) print(`Already there: ${describeCount(this.present)}.`)
    if (this.#skippedCount === 0) return
    print(`Skipped: ${this.#skippedCount.toLocaleString('en-US')}.`)
    for (const line of this.#skipped) print(`  ${line}`)
    const rest = this.#skippedCount - this.#skipped.length
    if (rest > 0) print(`  and ${rest.toLocaleString('en-US')} more. --report FILE lists all of them.`)
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
  }
}

function openReport(path: string): number {
  try {
    return openSync(path, 'w')
  } catch (error) {
    throw new CommandError(`The report can't be written: ${(error as Error).message}`)
  }
}

/** Describes a number of files and their size: `1 file, 3 KB`. */
export function describeCount({ files, bytes }: Count): string {
  return `${files.toLocaleString('en-US')} ${files === 1 ? 'file' : 'files'}, ${describeSize(bytes)}`
}
