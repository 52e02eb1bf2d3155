import type pg from 'pg'

/** The names of prepared statements by their texts. */
const statementNames = new Map<string, string>()

/** Lets clients of PostgreSQL prepare a statement, each once per connection. */
export function letPrepare(text: string): void {
  if (!hasAllColumns(text) && !statementNames.has(text)) statementNames.set(text, `alcove_${statementNames.size + 1}`)
}

/** Returns whether a statement returns whatever columns the table has. PostgreSQL refuses it once it is prepared and another server has added one. */
function hasAllColumns(text: string): boolean {
  return /(?:\bselect |\breturning |\.)\*/.test(text)
}

/** Returns a class of clients that prepare the statements given to `letPrepare`. */
export function preparing(Client: typeof pg.Client): typeof pg.Client {
  const PreparingClient = class extends Client {}
  Object.assign(PreparingClient.prototype, {
    query(this: pg.Client, config: unknown, ...others: unknown[]): unknown {
      const name = typeof config === 'string' ? statementNames.get(config) : undefined
      const named = name === undefined ? config : { name, text: config }
      return Reflect.apply(Client.prototype.query, this, [named, ...others])
    },
  })
  return PreparingClient
}
