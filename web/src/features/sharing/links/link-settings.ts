import type { InputOf } from '@alcove/contract/call'
import { findLinkPasswordProblem } from '@alcove/contract/credentials'
import { GIGABYTE, MAX_FILE_TYPES, MEBIBYTE } from '@alcove/contract/limits'
import type { Link, LinkRight, updateLink, VisitorName } from '@alcove/contract/links'
import { endOfDay, toDay } from '../expiry.ts'
import { canDownload, canUpload } from './link-texts.ts'

export type LinkSettings = Omit<InputOf<typeof updateLink>, 'linkId'>

/** The size as it is typed. */
export interface TypedSize {
  readonly value: string
  readonly unit: 'MB' | 'GB'
}

/** The fields of the form as they are typed. */
export interface LinkFields {
  readonly label: string
  readonly right: LinkRight
  readonly enabled: boolean
  readonly hasPassword: boolean
  /** Empty to keep the current one. */
  readonly password: string
  /** The last day on which the link works. */
  readonly day: string
  readonly maxDownloads: string
  readonly title: string
  readonly message: string
  readonly visitorName: VisitorName
  readonly folderPerVisitor: boolean
  readonly maxBytes: TypedSize
  readonly maxFileBytes: TypedSize
  readonly maxFiles: string
  readonly fileTypes: string
}

export type FieldProblems = Partial<Record<keyof LinkFields, string>>

const newFields: LinkFields = {
  label: '',
  right: 'view',
  enabled: true,
  hasPassword: false,
  password: '',
  day: '',
  maxDownloads: '',
  title: '',
  message: '',
  visitorName: 'optional',
  folderPerVisitor: true,
  maxBytes: { value: '', unit: 'GB' },
  maxFileBytes: { value: '', unit: 'MB' },
  maxFiles: '',
  fileTypes: '',
}

/** Returns the fields of a link, or of a new one. */
export function fieldsOf(link: Link | undefined): LinkFields {
  if (!link) return newFields
  return {
    ...{ label: link.label, right: link.right, enabled: link.enabled, hasPassword: link.hasPassword, password: '' },
    day: link.expiresAt === null ? '' : toDay(new Date(link.expiresAt)),
    maxDownloads: textOf(link.maxDownloads),
    ...{ title: link.title ?? '', message: link.message ?? '' },
    ...{ visitorName: link.visitorName, folderPerVisitor: link.folderPerVisitor },
    maxBytes: sizeOf(link.maxBytes, newFields.maxBytes),
    maxFileBytes: sizeOf(link.maxFileBytes, newFields.maxFileBytes),
    maxFiles: textOf(link.maxFiles),
    fileTypes: link.fileTypes.join(', '),
  }
}

function textOf(count: number | null): string {
  return count === null ? '' : String(count)
}

const UNITS = { MB: MEBIBYTE, GB: GIGABYTE }

function sizeOf(bytes: number | null, none: TypedSize): TypedSize {
  if (bytes === null) return none
  const unit = bytes % (GIGABYTE / 4) === 0 ? 'GB' : 'MB'
  return { value: String(Math.round((bytes / UNITS[unit]) * 100) / 100), unit }
}

/** Returns the settings that differ from those of the link, or all of a new one; or else what is wrong with the fields. */
export function readFields(
  fields: LinkFields,
  link: Link | undefined,
): { readonly settings: LinkSettings } | { readonly problems: FieldProblems } {
  const problems: Record<string, string> = {}
  const before = fieldsOf(link)
  const isChanged = (name: keyof LinkFields) => !link || JSON.stringify(fields[name]) !== JSON.stringify(before[name])
  const settings: Record<string, unknown> = {}

  function read<Name extends keyof LinkFields>(name: Name, parse: (value: LinkFields[Name]) => unknown): void {
    if (!isChanged(name)) return
    try {
      settings[name === 'day' ? 'expiresAt' : name] = parse(fields[name])
    } catch (error) {
      if (!(error instanceof FieldProblem)) throw error
      problems[name] = error.message
    }
  }

  read('label', (label) => label.trim())
  read('right', (right) => right)
  read('enabled', (enabled) => enabled)
  read('day', readDay)
  // A limit that no longer shows would still end the link.
  read('maxDownloads', (typed) => (canDownload(fields.right) ? readCount(typed) : null))
  if (link && !canDownload(fields.right) && link.maxDownloads !== null) settings.maxDownloads = null
  if (canUpload(fields.right)) {
    read('title', (title) => title.trim() || null)
    read('message', (message) => message.trim() || null)
    read('visitorName', (rule) => rule)
    read('folderPerVisitor', (isOn) => isOn)
    read('maxBytes', readSize)
    read('maxFileBytes', readSize)
    read('maxFiles', readCount)
    read('fileTypes', readFileTypes)
  }
  if (fields.hasPassword && (!before.hasPassword || fields.password !== '')) {
    const problem = findLinkPasswordProblem(fields.password)
    if (problem) problems.password = problem
    settings.password = fields.password
  } else if (!fields.hasPassword && before.hasPassword) settings.password = null
  return Object.keys(problems).length > 0 ? { problems } : { settings }
}

/** Says what is wrong with a field. */
class FieldProblem extends Error {}

function readDay(day: string): string | null {
  if (day === '') return null
  const end = endOfDay(day)
  if (!end || end.getTime() <= Date.now()) throw new FieldProblem('Choose today or a later day.')
  return end.toISOString()
}

function readCount(typed: string): number | null {
  if (typed.trim() === '') return null
  const count = Number(typed)
  if (!Number.isSafeInteger(count) || count < 1)
    throw new FieldProblem('Enter a whole number from 1, or leave it empty.')
  return count
}

function readSize({ value, unit }: TypedSize): number | null {
  if (value.trim() === '') return null
  const bytes = Math.round(Number(value.trim().replace(',', '.')) * UNITS[unit])
  if (!Number.isSafeInteger(bytes) || bytes < 1)
    throw new FieldProblem('Enter a number such as 500 or 1.5, or leave it empty.')
  return bytes
}

/** The separators that people type between extensions. */
const BETWEEN = /[\s,;]+/

function readFileTypes(typed: string): string[] {
  const types = typed
    .split(BETWEEN)
    .map((type) => type.replace(/^\*?\./, '').toLowerCase())
    .filter((type) => type !== '')
  const wrong = types.find((type) => !/^[\p{L}\p{N}_+-]{1,20}$/u.test(type))
  if (wrong !== undefined)
    throw new FieldProblem(`“${wrong}” is not a file extension. Enter extensions such as pdf or jpg.`)
  if (types.length > MAX_FILE_TYPES) throw new FieldProblem(`Enter at most ${MAX_FILE_TYPES} file types.`)
  return [...new Set(types)]
}
