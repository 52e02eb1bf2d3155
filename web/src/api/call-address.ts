import { type AnyCall, type InputOf, pathParameters } from '@alcove/contract/call'

const API_BASE = '/api'

/** The address of a call: path parameters filled in, and for GET and DELETE the other fields as the query. */
export function addressOf<C extends AnyCall>(call: C, input: InputOf<C>): string {
  const fields = input as Record<string, unknown>
  const path = pathParameters(call.path).reduce(
    (filled, name) => filled.replace(`{${name}}`, () => encodeURIComponent(String(fields[name]))),
    API_BASE + call.path,
  )
  if (hasBody(call)) return path
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(withoutPathParameters(call, input))) {
    if (value !== undefined && value !== null) query.set(name, String(value))
  }
  return query.size > 0 ? `${path}?${query}` : path
}

/** Whether the fields of a call travel in its body. */
export function hasBody(call: AnyCall): boolean {
  return call.method === 'POST' || call.method === 'PUT'
}

/** The fields that are not part of the path. */
export function withoutPathParameters(call: AnyCall, input: object): Record<string, unknown> {
  const inPath = pathParameters(call.path)
  return Object.fromEntries(Object.entries(input).filter(([name]) => !inPath.includes(name)))
}
