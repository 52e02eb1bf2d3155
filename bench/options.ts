import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { KIBIBYTE, MEBIBYTE } from '@alcove/contract/limits'

export interface Options {
  /** The parts to run. Empty means all. */
  parts: string[]
  rounds: number
  /** The size of a large file in bytes. */
  size: number
  /** How many files are imported. */
  files: number
  /** Where the temporary directory is created. Its disk is the one that is measured. */
  dir: string
  isSaved: boolean
}

export const USAGE = `npm run bench -- [PART …] [--rounds N] [--size 1G] [--files N] [--dir DIR] [--save]

--rounds N   how often each pair is measured (3)
--size SIZE  how large a large file is, like 100M or 1G (1G)
--files N    how many files of 100 KiB are imported (20000)
--dir DIR    where the temporary directory is created (${tmpdir()})
--save       also append the table to bench/RESULTS.md`

/** An error in the command line. */
export class UsageError extends Error {}

const UNITS = { K: KIBIBYTE, M: MEBIBYTE, G: 1024 * MEBIBYTE }
const SMALLEST = 2 * MEBIBYTE

export function readOptions(args: string[], partNames: string[]): Options {
  const { values, positionals } = parse(args)
  const unknown = positionals.find((name) => !partNames.includes(name))
  if (unknown !== undefined) throw new UsageError(`There is no part ${unknown}, only ${partNames.join(', ')}.`)
  const rounds = readCount('--rounds', values.rounds)
  const files = readCount('--files', values.files)
  const dir = resolve(values.dir)
  return { parts: positionals, rounds, size: readSize(values.size), files, dir, isSaved: values.save }
}

function readCount(name: string, text: string): number {
  const count = Number(text)
  if (!Number.isInteger(count) || count < 1) throw new UsageError(`${name} must be a whole number from 1.`)
  return count
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        rounds: { type: 'string', default: '3' },
        size: { type: 'string', default: '1G' },
        files: { type: 'string', default: '20000' },
        dir: { type: 'string', default: tmpdir() },
        save: { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

function readSize(text: string): number {
  const [, number, unit] = /^(\d+)([KMG])$/i.exec(text) ?? []
  if (number === undefined || unit === undefined)
    throw new UsageError('--size must be a number and a unit, like 100M or 1G.')
  const size = Number(number) * UNITS[unit.toUpperCase() as keyof typeof UNITS]
  if (size < SMALLEST) throw new UsageError('--size must be at least 2M.')
  return size
}
