import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { Sidecars } from './find-sidecar.ts'
import type { Described } from './read-sidecar.ts'
import type { ListedFile } from './takeout-part.ts'

/** A folder of all photos of a year, in the language of the account: `Photos from 2019`, `2019年の写真`. */
const YEAR_FOLDER = /^\D*(19|20)\d\d\D*$/u

/** How many rows are in memory at a time. */
const PAGE = 500

/** A file to be imported or compared. */
export interface IndexedFile {
  readonly id: number
  /** The number of its part. */
  readonly part: number
  readonly place: string
  readonly folder: string
  readonly filename: string
  readonly origin: string
  readonly size: number
  /** When the photo was taken, or else the date of the file in its part. */
  readonly modified_at: number
  readonly taken_at: number | null
}

const COLUMNS = 'files.id, part, place, path as folder, filename, origin, size, modified_at, taken_at'

/** The folders of the photos of a year, and the albums. */
const [IN_YEAR, IN_ALBUM] = ['has_photos and is_year and not is_album', 'has_photos and is_album']

/**
 * Lists the files of a Takeout in a temporary database, because there may be more than memory has space for. SQLite keeps it in a file
 * without a name, so nothing is left of it after a crash.
 */
export class TakeoutIndex {
  readonly #db = openTemporary()
  readonly #sidecars = new Sidecars(this.#db)
  readonly #insertFolder = this.#db.prepare(
    'insert into folders (path, parent, is_year) values (?, ?, ?) on conflict (path) do update set path = path returning id',
  )
  readonly #insertFile = this.#db.prepare(
    `insert into files (folder, filename, part, place, origin, size, modified_at, digest, role, taken_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing returning id`,
  )
  readonly #insertSkipped = this.#db.prepare('insert into skipped (origin, reason) values (?, ?)')
  readonly #updateDigest = this.#db.prepare('update files set digest = ? where id = ?')
  #folder = { path: '', id: -1 }

  /** Adds a file with its path in the drive. Returns false if there is another file at this path. One that is in two parts counts once. */
  add(names: readonly string[], file: ListedFile, part: number, described: Described | undefined): boolean {
    const folder = this.#folderAt(names.slice(0, -1))
    const filename = names.at(-1) as string
    const takenAt = described && 'takenAt' in described ? described.takenAt : null
    const role = takenAt !== null ? 'sidecar' : described ? 'album' : 'file'
    const { place, origin, size, modifiedAt, digest = null } = file
    const row = this.#insertFile.get(folder, filename, part, place, origin, size, modifiedAt, digest, role, takenAt)
    if (!row) {
      const before = this.#db.prepare('select size from files where folder = ? and filename = ?').get(folder, filename)
      return before?.size === size
    }
    if (role === 'sidecar') this.#sidecars.add(folder, filename, row.id as number)
    return true
  }

  #folderAt(names: readonly string[]): number {
    const path = names.join('/')
    if (this.#folder.id < 0 || this.#folder.path !== path) {
      const isYear = YEAR_FOLDER.test(names.at(-1) ?? '') ? 1 : 0
      const row = this.#insertFolder.get(path, names.slice(0, -1).join('/'), isYear) as { id: number }
      this.#folder = { path, id: row.id }
    }
    return this.#folder.id
  }

  /** Notes what is not imported, and why. */
  skip(origin: string, reason: string): void {
    this.#insertSkipped.run(origin, reason)
  }

  *skipped(): Generator<{ origin: string; reason: string }> {
    yield* this.#db.prepare('select origin, reason from skipped').iterate() as Iterable<{
      origin: string
      reason: string
    }>
  }

  /** Gives photos the dates of their sidecars. Call it when all files are added. */
  setDates(): void {
    this.#db.exec(`
      update folders set has_photos = 1 where id in (select folder from files where role = 'sidecar');
      -- Of an album in another part, all sidecars may be missing.
      update folders set has_photos = 1
        where parent <> '' and parent in (select parent from folders where has_photos);
      update folders set is_album = 1 where has_photos and id in (select folder from files where role = 'album');
      -- Other services have files that look like the description of an album.
      update files set role = 'file' where role = 'album' and folder not in (select id from folders where has_photos);`)
    const date = this.#db.prepare(
      'update files set taken_at = (select taken_at from files where id = ?1) where id = ?2',
    )
    const use = this.#db.prepare(`update files set role = 'used' where id = ?`)
    const photos = `role = 'file' and taken_at is null and has_photos`
    for (const find of ['find', 'findBesides'] as const) {
      for (const { id, folderId, filename } of this.#each<{ id: number; folderId: number; filename: string }>(
        'files.id, folder as folderId, filename',
        photos,
      )) {
        const sidecar = this.#sidecars[find](folderId, filename)
        if (sidecar === undefined) continue
        date.run(sidecar, id)
        use.run(sidecar)
      }
    }
    this.#db.exec(`
      insert into skipped (origin, reason)
        select origin, 'the photo that it describes is missing; it may be in another part of the archive'
        from files where role = 'sidecar' order by id`)
  }

  /** Begins to look for photos that are in an album and in the folder of a year. Returns how many have to be compared. */
  findDoubles(): { items: number; bytes: number } {
    this.#db.exec(`
      create table double_sizes (size integer primary key);
      insert into double_sizes
        select size from files join folders on folders.id = folder where role = 'file' and ${IN_YEAR}
        intersect
        select size from files join folders on folders.id = folder where role = 'file' and ${IN_ALBUM}`)
    const row = this.#db
      .prepare(
        `select count(*) as items, coalesce(sum(size), 0) as bytes from files join folders on folders.id = folder where ${TO_COMPARE}`,
      )
      .get()
    return row as unknown as { items: number; bytes: number }
  }

  /** Yields the photos whose digests `dropDoubles` needs. */
  *toCompare(): Generator<IndexedFile> {
    for (const file of this.#each<IndexedFile>(COLUMNS, TO_COMPARE)) yield file
  }

  setDigest(id: number, digest: string): void {
    this.#updateDigest.run(digest, id)
  }

  /** Takes the photos that are in an album out of the folders of years. If only these have a date, the album gets it. */
  dropDoubles(): void {
    this.#db.exec(`
      create table doubles (digest text primary key, taken_at integer) without rowid;
      insert into doubles
        select digest, min(taken_at) from files join folders on folders.id = folder
        where role = 'file' and ${IN_YEAR} and digest is not null and size in (select size from double_sizes) group by digest
          having digest in (
            select digest from files join folders on folders.id = folder
            where role = 'file' and ${IN_ALBUM} and size in (select size from double_sizes));
      update files set taken_at = (select doubles.taken_at from doubles where doubles.digest = files.digest)
        where taken_at is null and role = 'file' and digest in (select digest from doubles)
          and folder in (select id from folders where ${IN_ALBUM});
      update files set role = 'double'
        where role = 'file' and digest in (select digest from doubles) and folder in (select id from folders where ${IN_YEAR})`)
  }

  /** Yields what is to be imported in the order of the parts, some files of one folder at a time. */
  *pages(): Generator<IndexedFile[]> {
    let page: IndexedFile[] = []
    for (const file of this.#each<IndexedFile>(COLUMNS, `role = 'file'`)) {
      if (page.length >= PAGE || (page[0] && page[0].folder !== file.folder)) {
        yield page
        page = []
      }
      page.push(file)
    }
    if (page.length > 0) yield page
  }

  close(): void {
    this.#db.close()
  }

  /** Yields rows in order. They may be changed meanwhile. */
  *#each<Row extends { id: number }>(columns: string, where: string): Generator<Row> {
    const select: StatementSync = this.#db.prepare(
      `select ${columns} from files join folders on folders.id = files.folder
       where files.id > ? and ${where} order by files.id limit ${PAGE}`,
    )
    for (let after = 0; ; ) {
      const rows = select.all(after) as unknown as Row[]
      for (const row of rows) yield row
      const last = rows.at(-1)
      if (!last) return
      after = last.id
    }
  }
}

const TO_COMPARE = `role = 'file' and digest is null and size in (select size from double_sizes)
  and ((${IN_YEAR}) or (${IN_ALBUM}))`

function openTemporary(): DatabaseSync {
  const db = new DatabaseSync('')
  db.exec(`
    pragma cache_size = -4096;
    pragma journal_mode = off;
    pragma temp_store = file;
    create table folders (
      id integer primary key, path text not null unique, parent text not null, is_year integer not null,
      has_photos integer not null default 0, is_album integer not null default 0);
    -- The role is file, sidecar, used (a sidecar whose photo is there), album or double.
    create table files (
      id integer primary key, folder integer not null, filename text not null, part integer not null, place text not null,
      origin text not null, size integer not null, modified_at integer not null, digest text, role text not null,
      taken_at integer, unique (folder, filename));
    create table skipped (origin text not null, reason text not null);
    begin`)
  return db
}
