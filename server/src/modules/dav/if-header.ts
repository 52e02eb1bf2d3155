import { DavError } from './dav-error.ts'

/** One condition on the state of a resource. */
interface Condition {
  readonly isNegated: boolean
  readonly kind: 'token' | 'etag'
  readonly value: string
}

/** Conditions that must all be met, of the resource of the request or of another one. */
export interface ConditionList {
  /** The URI of another resource, as it was written. */
  readonly resource: string | undefined
  readonly conditions: readonly Condition[]
}

/** An `If` header (RFC 4918, section 10.4). It is met if one of its lists is. */
export interface IfHeader {
  readonly lists: readonly ConditionList[]
  /** The lock tokens that the client submits, whether the conditions on them are met or not. */
  readonly tokens: ReadonlySet<string>
}

/** Longer headers are longer than any client's and take long to evaluate. */
const MAX_LISTS = 100

/** Parses an `If` header. Throws 400 if it is malformed. */
export function parseIfHeader(header: string): IfHeader {
  const lists: ConditionList[] = []
  let resource: string | undefined
  let rest = header.trim()
  while (rest !== '') {
    const tag = /^<([^<>]*)>\s*/.exec(rest)
    if (tag) {
      // A tag is followed by its lists, and lists without a tag can't come before.
      if (lists.some((list) => list.resource === undefined)) throw malformed()
      resource = tag[1] as string
      rest = rest.slice(tag[0].length)
      if (!rest.startsWith('(')) throw malformed()
    }
    const list = /^\(((?:[^()<>[\]]|<[^<>]*>|\[[^[\]]*\])*)\)\s*/.exec(rest)
    if (!list) throw malformed()
    lists.push({ resource, conditions: parseConditions(list[1] as string) })
    if (lists.length > MAX_LISTS) throw malformed()
    rest = rest.slice(list[0].length)
  }
  if (lists.length === 0) throw malformed()
  const tokens = lists.flatMap(({ conditions }) => conditions.filter(({ kind }) => kind === 'token'))
  return { lists, tokens: new Set(tokens.map(({ value }) => value)) }
}

function parseConditions(text: string): Condition[] {
  const conditions: Condition[] = []
  let rest = text.trim()
  while (rest !== '') {
    const found = /^(not\s*)?(?:<([^<>]+)>|\[((?:W\/)?"[^"]*")\])\s*/i.exec(rest)
    if (!found) throw malformed()
    const [all, not, token, etag] = found
    const isNegated = not !== undefined
    conditions.push(
      token === undefined
        ? { isNegated, kind: 'etag', value: etag as string }
        : { isNegated, kind: 'token', value: token },
    )
    rest = rest.slice(all.length)
  }
  if (conditions.length === 0) throw malformed()
  return conditions
}

function malformed(): DavError {
  return new DavError(400, 'The If header of this request is malformed.')
}
