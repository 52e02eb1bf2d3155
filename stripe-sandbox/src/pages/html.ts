/** HTML that is safe to put into a page. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString(): string {
    return this.text
  }
}

type Value = Html | string | number | false | null | undefined | readonly Value[]

/** Puts a page together; whatever is not HTML already is escaped. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(parts.reduce((page, part, index) => page + toText(values[index - 1]) + part))
}

function toText(value: Value): string {
  if (value instanceof Html) return value.text
  if (Array.isArray(value)) return value.map(toText).join('')
  if (value === false || value === null || value === undefined) return ''
  return String(value).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
