import { styleText } from 'node:util'
import { escapeControls } from './escape-controls.ts'

/** A line of the log in JSON. pino writes the first three fields. */
interface Entry {
  readonly time: string
  readonly level: number
  readonly msg?: string
  readonly [field: string]: unknown
}

type Stream = Pick<NodeJS.WriteStream, 'isTTY'>
type Style = (format: Parameters<typeof styleText>[0], text: string) => string

const [WARNING, ERROR] = [40, 50]

/** Fields that are not shown as `name=value`: they are in the text, or only programs need them. */
const OWN_FIELDS = new Set([
  'time',
  'level',
  'msg',
  'err',
  'reqId',
  'security',
  'method',
  'route',
  'status',
  'ms',
  'id',
])

/** Returns the function that turns a line of JSON into text for people, in colours if the stream shows them. */
export function createFormatter(stream: Stream): (line: string) => string {
  const style: Style = (format, text) => styleText(format, text, { stream: stream as NodeJS.WriteStream })
  return (line) => {
    const entry = JSON.parse(line) as Entry
    const at = style('dim', describeTime(entry.time, stream.isTTY))
    return `${[at, describeEntry(entry, style), ...describeError(entry.err, style)].join('  ').replace(/ {2}\n/g, '\n')}\n`
  }
}

/** On a terminal the reader knows the day. */
function describeTime(time: string, isNow: boolean): string {
  const at = new Date(time)
  const clock = at.toTimeString().slice(0, 8)
  const pad = (part: number) => String(part).padStart(2, '0')
  return isNow ? clock : `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())} ${clock}`
}

function describeEntry(entry: Entry, style: Style): string {
  const parts = entry.route === undefined ? describeMessage(entry, style) : describeRequest(entry, style)
  const fields = Object.entries(entry).filter(([name]) => !OWN_FIELDS.has(name))
  // Users report the id of a failed request.
  if (entry.level >= WARNING && entry.reqId !== undefined) fields.push(['id', entry.reqId])
  if (fields.length === 0) return parts
  return `${parts}  ${style('dim', fields.map(([name, value]) => `${name}=${describeValue(value)}`).join(' '))}`
}

function describeMessage({ level, msg = '' }: Entry, style: Style): string {
  const sentence = `${msg.slice(0, 1).toUpperCase()}${msg.slice(1)}`
  const text = escapeControls(sentence).replace(/https?:\/\/\S+/g, (url) => style('cyan', url))
  if (level >= ERROR) return `${style(['bold', 'red'], 'Error')}  ${text}`
  return level >= WARNING ? `${style(['bold', 'yellow'], 'Warning')}  ${text}` : text
}

function describeRequest({ method, route, status, ms, id }: Entry, style: Style): string {
  const colour = Number(status) >= 500 ? 'red' : Number(status) >= 400 ? 'yellow' : 'green'
  const response = style(colour, describeValue(status))
  return `${describeValue(method)} ${describeValue(route)} ${response} ${style('dim', `${ms} ms  id=${describeValue(id)}`)}`
}

function describeValue(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return escapeControls(typeof value === 'string' && !/^[^\s"]+$/.test(text) ? JSON.stringify(text) : text)
}

/** Returns the stack of an error, each line indented below the entry. */
function describeError(error: unknown, style: Style): string[] {
  if (typeof error !== 'object' || error === null) return []
  const { type, message, stack } = error as { type?: string; message?: string; stack?: string }
  const lines = (stack ?? `${type}: ${message}`).split('\n')
  return lines.map((line, index) => `\n  ${index === 0 ? escapeControls(line) : style('dim', escapeControls(line))}`)
}
