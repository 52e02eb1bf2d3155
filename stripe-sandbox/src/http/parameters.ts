import type { Metadata } from '../stripe-objects.ts'
import { invalid } from './stripe-error.ts'

/** Longer than any text of the product. */
const MAX_TEXT = 5000

/** The parameters of a call. As with Stripe, a parameter that the call never reads is an error. */
export class Parameters {
  readonly #fields: FormFields
  readonly #path: string
  readonly #read = new Set<string>()
  readonly #inner = new Map<string, Parameters>()

  constructor(fields: FormFields, path = '') {
    this.#fields = fields
    this.#path = path
  }

  /** Returns the full name of a field for errors: `items[0][price]`. */
  nameOf(field: string): string {
    return this.#path === '' ? field : `${this.#path}[${field}]`
  }

  has(field: string): boolean {
    return Object.hasOwn(this.#fields, field)
  }

  /** Returns a string. An empty one means that the value is to be unset. */
  text(field: string): string | undefined {
    this.#read.add(field)
    const value = this.#fields[field]
    if (value === undefined) return undefined
    if (typeof value !== 'string') throw invalid('Invalid string.', this.nameOf(field))
    if (value.length > MAX_TEXT)
      throw invalid(`Invalid string: longer than ${MAX_TEXT} characters.`, this.nameOf(field))
    return value
  }

  requiredText(field: string): string {
    const value = this.text(field)
    if (value === undefined) throw this.missing(field)
    if (value === '') {
      throw invalid(
        `You passed an empty string for '${this.nameOf(field)}'. We assume empty values are an attempt to unset a parameter; however '${this.nameOf(field)}' cannot be unset.`,
        this.nameOf(field),
        'parameter_invalid_empty',
      )
    }
    return value
  }

  /** Returns an http or https address. Browsers are sent there, so nothing else is allowed. */
  url(field: string): string | undefined {
    const url = this.text(field)
    if (!url) return undefined
    const protocol = URL.canParse(url) ? new URL(url).protocol : ''
    if (protocol !== 'http:' && protocol !== 'https:') {
      throw invalid('Not a valid URL', this.nameOf(field), 'url_invalid')
    }
    return url
  }

  integer(field: string, { min = 0, max = Number.MAX_SAFE_INTEGER } = {}): number | undefined {
    const value = this.text(field)
    if (value === undefined || value === '') return undefined
    const number = Number(value)
    if (!/^-?\d+$/.test(value) || !Number.isSafeInteger(number)) {
      throw invalid(`Invalid integer: ${value}`, this.nameOf(field), 'parameter_invalid_integer')
    }
    if (number < min || number > max) {
      throw invalid(`This value must be between ${min} and ${max}.`, this.nameOf(field), 'parameter_invalid_integer')
    }
    return number
  }

  boolean(field: string): boolean | undefined {
    const value = this.text(field)
    if (value === undefined || value === '') return undefined
    if (value !== 'true' && value !== 'false') throw invalid(`Invalid boolean: ${value}`, this.nameOf(field))
    return value === 'true'
  }

  choice<T extends string>(field: string, choices: readonly T[]): T | undefined {
    const value = this.text(field)
    if (value === undefined) return undefined
    const choice = choices.find((one) => one === value)
    if (!choice) {
      throw invalid(`Invalid ${this.nameOf(field)}: must be one of ${choices.join(', ')}`, this.nameOf(field))
    }
    return choice
  }

  /** Returns nested fields; undefined if there are none. */
  group(field: string): Parameters | undefined {
    this.#read.add(field)
    const value = this.#fields[field]
    if (value === undefined || value === '') return undefined
    if (typeof value === 'string') throw invalid('Invalid object', this.nameOf(field))
    return this.#innerOf(field, value)
  }

  /** Returns a list of nested fields. */
  groups(field: string): Parameters[] {
    const list = this.group(field)
    return list
      ? list
          .#indexes()
          .map((index) => list.group(index))
          .filter((group) => group !== undefined)
      : []
  }

  /** Returns a list of strings. */
  texts(field: string): string[] | undefined {
    const list = this.group(field)
    if (!list) return undefined
    return list.#indexes().map((index) => list.requiredText(index))
  }

  /** Returns the metadata after this call. An empty value removes a key; an empty `metadata` removes all. */
  metadata(present: Metadata = {}, field = 'metadata'): Metadata {
    const isEmptied = this.#fields[field] === ''
    const given = this.group(field)
    if (isEmptied) return {}
    const metadata = { ...present }
    for (const name of given ? Object.keys(given.#fields) : []) {
      const value = given?.text(name)
      if (value === '' || value === undefined) delete metadata[name]
      else metadata[name] = value
    }
    return metadata
  }

  /** Accepts fields that have no effect in the sandbox. */
  ignore(...fields: string[]): void {
    for (const field of fields) this.#read.add(field)
  }

  missing(field: string): Error {
    return invalid(`Missing required param: ${this.nameOf(field)}.`, this.nameOf(field), 'parameter_missing')
  }

  assertNothingLeft(): void {
    const unknown = Object.keys(this.#fields).find((field) => !this.#read.has(field))
    if (unknown !== undefined) {
      const name = this.nameOf(unknown)
      throw invalid(`Received unknown parameter: ${name}`, name, 'parameter_unknown')
    }
    for (const inner of this.#inner.values()) inner.assertNothingLeft()
  }

  #innerOf(field: string, fields: FormFields): Parameters {
    const inner = this.#inner.get(field) ?? new Parameters(fields, this.nameOf(field))
    this.#inner.set(field, inner)
    return inner
  }

  #indexes(): string[] {
    const indexes = Object.keys(this.#fields)
    const wrong = indexes.find((index) => !/^\d+$/.test(index))
    if (wrong !== undefined) throw invalid('Invalid array', this.#path)
    return indexes
  }
}

/** Decoded form fields: `items[0][price]=p` is `{items: {0: {price: 'p'}}}`. Lists are objects by index. */
interface FormFields {
  [name: string]: string | FormFields
}

const MAX_DEPTH = 8
const MAX_FIELDS = 1000

export function parseForm(text: string): FormFields {
  const form = emptyFields()
  let count = 0
  for (const [path, value] of new URLSearchParams(text)) {
    if (++count > MAX_FIELDS) throw invalid('There are too many parameters.')
    put(form, splitPath(path), path, value)
  }
  return form
}

/** Has no prototype, so that a parameter can have any name. */
function emptyFields(): FormFields {
  return Object.create(null)
}

function splitPath(path: string): string[] {
  const [, head = '', rest = ''] = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(path) ?? []
  if (head === '') throw invalid(`Invalid parameter name: ${path.slice(0, 100)}`)
  const parts = [head, ...[...rest.matchAll(/\[([^[\]]*)\]/g)].map(([, part = '']) => part)]
  if (parts.length > MAX_DEPTH) throw invalid(`Parameters are nested too deeply: ${path.slice(0, 100)}`)
  return parts
}

function put(form: FormFields, parts: string[], path: string, value: string): void {
  let fields = form
  parts.forEach((part, index) => {
    // `[]` is the next free index, as in `expand[]=a&expand[]=b`.
    const name = part === '' ? String(Object.keys(fields).length) : part
    const present = fields[name]
    if (index === parts.length - 1) {
      if (typeof present === 'object') throw invalid(`Invalid object: ${path.slice(0, 100)}`)
      fields[name] = value
      return
    }
    if (typeof present === 'string') throw invalid(`Invalid object: ${path.slice(0, 100)}`)
    const next = present ?? emptyFields()
    fields[name] = next
    fields = next
  })
}
