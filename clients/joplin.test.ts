import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createFolder } from '@alcove/contract/files'
import { listItems } from '@alcove/contract/item-calls'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { joplinScript } from './joplin-program.ts'
import { runProgram } from './run-program.ts'
import { type ServedAccount, serveAccount } from './served-account.ts'

const NOTES = 40

let account: ServedAccount
let first: Profile
let second: Profile
let joplinFolder: string
beforeAll(async () => {
  account = await serveAccount()
  // As the page for connecting apps says.
  joplinFolder = (await account.client.call(createFolder, { folderName: 'Joplin' })).body.id
  first = await Profile.create('first')
  second = await Profile.create('second')
})
afterAll(() => account.close())

/** What all devices must have in common. */
interface Content {
  readonly notes: Record<string, string>
  readonly attachments: Record<string, string>
}

/** One device with Joplin. */
class Profile {
  readonly folder: string

  private constructor(folder: string) {
    this.folder = folder
  }

  static async create(name: string): Promise<Profile> {
    const profile = new Profile(join(account.dir, name))
    await mkdir(profile.folder)
    const { davUrl, email, secret } = account
    const settings = { 'sync.target': '6', 'sync.6.path': `${davUrl}Joplin`, 'sync.6.username': email }
    // Joplin would ask a service on the internet for the place of each new note.
    const all = Object.entries({ ...settings, 'sync.6.password': secret, trackLocation: 'false' })
    await profile.runAll(all.map(([key, value]) => ['config', key, value]))
    return profile
  }

  async run(...args: string[]): Promise<string> {
    const { output } = await runProgram(process.execPath, [joplinScript, '--profile', this.folder, ...args], {
      cwd: account.dir,
    })
    return output
  }

  /** Runs many commands in one process, because each process takes a second to start. */
  async runAll(commands: readonly (readonly string[])[]): Promise<void> {
    const path = join(account.dir, 'commands.txt')
    // Joplin exits before its last change is committed. Exporting waits for that.
    const last = ['export', '--format', 'raw', `${this.folder} exported`]
    const lines = [...commands, last].map((words) => words.map((word) => `"${word}"`).join(' '))
    await writeFile(path, lines.join('\n'))
    await this.run('batch', path)
  }

  /** Synchronizes once. Throws if Joplin reports an error. */
  async sync(): Promise<string> {
    const output = await this.run('sync')
    if (!output.includes('Completed:') || /error|fail/i.test(output)) throw new Error(output)
    return output
  }

  /** Returns the notes with their bodies by notebook, title and tags, and the digests of attachments by their file names. */
  async read(): Promise<Content> {
    const database = new DatabaseSync(join(this.folder, 'database.sqlite'), { readOnly: true })
    const notes = database.prepare(NOTES_WITH_PATHS).all() as { path: string; body: string }[]
    database.close()
    const folder = join(this.folder, 'resources')
    const attachments = (await readdir(folder)).map(async (name) => [name, sha256(await readFile(join(folder, name)))])
    return {
      notes: Object.fromEntries(notes.map(({ path, body }) => [path, body])),
      attachments: Object.fromEntries(await Promise.all(attachments)),
    }
  }
}

/** Without the notes in Joplin's trash, and without conflicts, which Joplin keeps on the device. */
const NOTES_WITH_PATHS = `
  SELECT folders.title || '/' || notes.title || coalesce(' #' || group_concat(tags.title ORDER BY tags.title), '') AS path,
    notes.body || iif(notes.is_todo, ' ' || (notes.todo_completed > 0), '') AS body
  FROM notes
  JOIN folders ON folders.id = notes.parent_id
  LEFT JOIN note_tags ON note_tags.note_id = notes.id
  LEFT JOIN tags ON tags.id = note_tags.tag_id
  WHERE notes.is_conflict = 0 AND notes.deleted_time = 0
  GROUP BY notes.id`

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Synchronizes until each profile has seen what the other one did. Returns what both have. */
async function settle(): Promise<Content> {
  for (const profile of [first, second, first]) await profile.sync()
  const content = await first.read()
  expect(await second.read()).toEqual(content)
  return content
}

it('carries notebooks, notes, tags, to-dos and attachments from one profile to another', async () => {
  const picture = randomBytes(3_000_000)
  await writeFile(join(account.dir, 'picture.bin'), picture)
  await first.runAll([
    ['mkbook', 'Work'],
    ['use', 'Work'],
    ...Array.from({ length: NOTES }, (_, at) => [
      ['mknote', `Note ${at}`],
      ['set', `Note ${at}`, 'body', `Text of ${at} – ümlaut 日本 🌻`],
    ]).flat(),
    ['tag', 'add', 'urgent', 'Note 1'],
    ['mktodo', 'Call'],
    ['attach', 'Note 2', join(account.dir, 'picture.bin')],
  ])
  const { notes, attachments } = await settle()
  expect(Object.keys(notes)).toHaveLength(NOTES + 1)
  expect(notes).toMatchObject({ 'Work/Note 1 #urgent': 'Text of 1 – ümlaut 日本 🌻', 'Work/Call': ' 0' })
  expect(notes['Work/Note 2']).toMatch(/!?\[picture\.bin\]\(:\/[\da-f]{32}\)/)
  expect(Object.values(attachments)).toEqual([sha256(picture)])
})

it('stores its lock, its attachments and its state in folders of their own', async () => {
  const { items } = (await account.client.call(listItems, { folderId: joplinFolder })).body
  const folders = items.filter(({ type }) => type === 'folder').map(({ name }) => name)
  expect(folders).toEqual(expect.arrayContaining(['.resource', '.sync', 'locks', 'temp']))
  expect(items.map(({ name }) => name)).toContain('info.json')
})

it('brings changes, moves and deletions of both profiles together', async () => {
  await writeFile(join(account.dir, 'table.csv'), 'a,b\n1,2\n')
  await first.runAll([
    ['use', 'Work'],
    ['set', 'Note 3', 'body', 'changed on the first device'],
    ['ren', 'Note 4', 'Renamed'],
    ['rmnote', '-f', '-p', 'Note 5'],
    ['rmnote', '-f', 'Note 6'],
    ['mknote', 'Only here'],
  ])
  await second.runAll([
    ['mkbook', 'Home'],
    ['use', 'Work'],
    ['set', 'Note 7', 'body', 'changed on the second device'],
    ['rmnote', '-f', '-p', 'Note 8'],
    ['mv', 'Note 9', 'Home'],
    ['done', 'Call'],
    ['attach', 'Note 10', join(account.dir, 'table.csv')],
  ])
  const { notes, attachments } = await settle()
  expect(notes).toMatchObject({
    'Work/Note 3': 'changed on the first device',
    'Work/Renamed': expect.stringContaining('Text of 4'),
    'Work/Only here': '',
    'Work/Note 7': 'changed on the second device',
    'Home/Note 9': expect.stringContaining('Text of 9'),
    'Work/Call': ' 1',
  })
  expect(Object.keys(notes)).toHaveLength(NOTES + 1 + 1 - 3)
  expect(Object.values(attachments)).toContain(sha256(Buffer.from('a,b\n1,2\n')))
})

it('loses neither text if both profiles change one note', async () => {
  await first.run('set', 'Note 11', 'body', 'text of the first')
  await second.run('set', 'Note 11', 'body', 'text of the second')
  const { notes } = await settle()
  expect(notes['Work/Note 11']).toBe('text of the first')
  const database = new DatabaseSync(join(second.folder, 'database.sqlite'), { readOnly: true })
  const conflicts = database.prepare('SELECT body FROM notes WHERE is_conflict = 1').all()
  database.close()
  expect(conflicts).toEqual([{ body: 'text of the second' }])
})

it('synchronizes two profiles at the same time', async () => {
  for (const profile of [first, second]) {
    await profile.runAll([
      ['use', 'Work'],
      ...Array.from({ length: NOTES }, (_, at) => ['mknote', `${basename(profile.folder)} ${at}`]),
    ])
  }
  await Promise.all([first.sync(), second.sync()])
  const { notes } = await settle()
  for (const name of ['first', 'second']) {
    expect(Object.keys(notes).filter((path) => path.startsWith(`Work/${name} `))).toHaveLength(NOTES)
  }
})
