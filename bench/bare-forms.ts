import { randomUUID } from 'node:crypto'
import { fdatasync, openSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { buffer } from 'node:stream/consumers'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'

interface Arrived {
  readonly name: string
  readonly bytes: Buffer
  readonly done: (id: string) => void
}

/**
 * Returns the least that a Node.js server can do with a small file in a form: read the form, store the bytes and a row in SQLite,
 * and respond when they are on the disk. Files that arrive together share a commit. Nobody is signed in, and nothing is checked.
 */
export function bareForms(directory: string): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const path = join(directory, 'bare.sqlite')
  const database = new DatabaseSync(path)
  database.exec(`pragma journal_mode = wal; pragma synchronous = off; pragma wal_autocheckpoint = 16000;
    create table files (id text primary key, path text not null unique, bytes blob not null) strict`)
  const insert = database.prepare('insert into files values (?, ?, ?)')
  const log = openSync(`${path}-wal`, 'r')
  let waiting: Arrived[] = []
  let isStoring = false

  function store(): void {
    if (isStoring || waiting.length === 0) return
    isStoring = true
    const together = waiting
    waiting = []
    database.exec('begin')
    const ids = together.map(({ name, bytes }) => {
      const id = randomUUID()
      insert.run(id, name, bytes)
      return id
    })
    database.exec('commit')
    fdatasync(log, (error) => {
      if (error) throw error
      isStoring = false
      for (const [index, { done }] of together.entries()) done(ids[index] as string)
      store()
    })
  }

  return async (request, response) => {
    const form = new Busboy({ headers: request.headers as BusboyHeaders })
    let name = ''
    let bytes: Promise<Buffer> | undefined
    form.on('field', (field: string, value: string) => {
      if (field === 'relativePath') name = value
    })
    form.on('file', (_field: string, content) => {
      bytes = buffer(content)
    })
    request.pipe(form)
    await new Promise((resolve) => form.on('finish', resolve))
    const arrived = { name, bytes: await (bytes as Promise<Buffer>) }
    const id = await new Promise<string>((done) => {
      waiting.push({ ...arrived, done })
      setImmediate(store)
    })
    const body = JSON.stringify({ id, name, size: arrived.bytes.length, createdAt: new Date().toISOString() })
    response.writeHead(201, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body)
  }
}
