import { appendFile } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { type Goal, isMet, median, type Row, ratioOf } from './measurements.ts'
import type { Options } from './options.ts'

const NGINX_MISSING = 'nginx is not installed: apt-get install nginx-light'
const GIB = 1024 ** 3
/** Above this load average the machine was busy before the bench started. */
const QUIET = 1

/** Describes the machine. Call it before measuring. */
export function describeMachine(options: Options): string[] {
  const load = loadavg()[0] ?? 0
  const lines = [
    `${availableParallelism()} cores (${cpus()[0]?.model.trim()}), ${(totalmem() / GIB).toFixed(0)} GiB of memory, ` +
      `Linux ${release()}, Node ${process.version}, load average ${load.toFixed(2)} at the start`,
    `large files of ${options.size / 1024 ** 2} MiB, rounds: ${options.rounds}`,
  ]
  if (load > QUIET)
    lines.push(`Warning: the machine was busy (load average above ${QUIET}). Don't trust these results.`)
  return lines
}

/** Formats the report as Markdown that is also readable in a terminal. */
export function formatReport(machine: string[], rows: Row[]): string {
  const header = ['what', 'Alcove', 'spread', 'reference', 'ratio', 'floor', 'aim']
  const cells = [header, ...rows.map(formatRow)]
  const widths = header.map((_name, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  const line = (row: string[]) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const [first = [], ...others] = cells
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`
  return [...machine, '', line(first), rule, ...others.map(line), ''].join('\n')
}

/** Appends the report to the history, and returns the path of the file. */
export async function saveReport(report: string, now: Date): Promise<string> {
  const path = join(import.meta.dirname, 'RESULTS.md')
  const [day, time] = now.toISOString().split(/[T.]/)
  await appendFile(path, `\n## ${day} ${time} UTC\n\n${report.trimEnd()}\n`)
  return path
}

function formatRow(row: Row): string[] {
  const ratio = ratioOf(row)
  return [
    row.what,
    formatFigure(median(row.alcove)),
    formatSpread(row.alcove),
    formatReference(row),
    ratio === undefined ? '' : formatFigure(ratio),
    formatGoal(row, row.floor),
    formatGoal(row, row.aim),
  ]
}

/** Formats the smallest and the largest value of the rounds. */
function formatSpread(figures: number[]): string {
  return figures.length < 2 ? '' : `${formatFigure(Math.min(...figures))}–${formatFigure(Math.max(...figures))}`
}

function formatReference({ reference }: Row): string {
  if (!reference) return ''
  if (reference.figures.length === 0) return NGINX_MISSING
  return `${formatFigure(median(reference.figures))} (${reference.name})`
}

function formatGoal(row: Row, goal: Goal | undefined): string {
  if (!goal) return ''
  const sign = goal.bound === 'at least' ? '≥' : '≤'
  const mark = { true: ' ✓', false: ' ✗', undefined: '' }[`${isMet(row, goal)}`]
  return `${sign} ${goal.limit}${goal.of === 'ratio' ? ' ×' : ''}${mark}`
}

/** Formats a number with three significant digits. */
export function formatFigure(figure: number): string {
  if (figure === 0 || figure >= 100) return Math.round(figure).toLocaleString('en-US')
  return figure.toPrecision(figure >= 1 ? 3 : 2)
}
