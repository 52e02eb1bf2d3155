import { invalid } from './stripe-error.ts'

/** Form fields put together again: `items[0][price]=p` is `{items: {0: {price: 'p'}}}`. Lists are objects by index. */
export interface FormFields {
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

/** Without a prototype, so that a parameter may have any name. */
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
    // `expand[]=a&expand[]=b`: the next free index.
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
