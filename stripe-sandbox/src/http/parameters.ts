import type { Metadata } from '../stripe-objects.ts'
import type { FormFields } from './form.ts'
import { invalid } from './stripe-error.ts'

/** Longer texts than any of ours. */
const MAX_TEXT = 5000

/** What a call was given, read field by field; what nobody read at the end is refused, as Stripe does. */
export class Parameters {
  readonly #fields: FormFields
  readonly #path: string
  readonly #read = new Set<string>()
  readonly #inner = new Map<string, Parameters>()

  constructor(fields: FormFields, path = '') {
    this.#fields = fields
    this.#path = path
  }

  /** The name of a field as errors give it: `items[0][price]`. */
  nameOf(field: string): string {
    return this.#path === '' ? field : `${this.#path}[${field}]`
  }

  has(field: string): boolean {
    return Object.hasOwn(this.#fields, field)
  }

  isGroup(field: string): boolean {
    return typeof this.#fields[field] === 'object'
  }

  /** A text; `''` is given back as it is, for it means that something is to be taken away. */
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

  /** A group of fields; undefined when none of it was given. */
  group(field: string): Parameters | undefined {
    this.#read.add(field)
    const value = this.#fields[field]
    if (value === undefined || value === '') return undefined
    if (typeof value === 'string') throw invalid('Invalid object', this.nameOf(field))
    return this.#innerOf(field, value)
  }

  /** A list of groups. */
  groups(field: string): Parameters[] {
    const list = this.group(field)
    return list
      ? list
          .#indexes()
          .map((index) => list.group(index))
          .filter((group) => group !== undefined)
      : []
  }

  /** A list of texts. */
  texts(field: string): string[] | undefined {
    const list = this.group(field)
    if (!list) return undefined
    return list.#indexes().map((index) => list.requiredText(index))
  }

  /** The metadata after this call: a field that is given empty goes, an empty whole empties it. */
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

  /** Fields that make no difference here. */
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
