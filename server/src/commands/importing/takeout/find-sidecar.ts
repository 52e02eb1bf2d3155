import type { DatabaseSync, StatementSync } from 'node:sqlite'

/**
 * Google Takeout puts a JSON file beside each photo, its sidecar, with the date at which the photo was taken. The name of the sidecar is
 * that of the photo with `.supplemental-metadata` (older ones have nothing), cut off at 46 UTF-16 units, and `.json`. Where several
 * photos have one name, their numbers are at other places, and don't count: `IMG(1).jpg` belongs to `IMG.jpg(1).json`.
 */

const MIDDLE = '.supplemental-metadata'

/** No sidecar's name is cut off before this. */
const CUT_AT_LEAST = 40

/** What Google appends to edited copies, which share the sidecar of the original, in the languages of accounts. */
const EDITED = [
  ...[
    'edited',
    'bearbeitet',
    'modifié',
    'editado',
    'editada',
    'editat',
    'modificato',
    'bewerkt',
    'edytowane',
    'redigerad',
  ],
  ...[
    'redigeret',
    'redigert',
    'muokattu',
    'düzenlendi',
    'upraveno',
    'upravené',
    'szerkesztett',
    'diedit',
    'đã chỉnh sửa',
  ],
  ...[
    'изменено',
    'відредаговано',
    'επεξεργασμένο',
    '編集済み',
    '已修改',
    '已编辑',
    '已編輯',
    '편집됨',
    'แก้ไขแล้ว',
    'ערוך',
    'تم التعديل',
  ],
]

interface Named {
  /** The name without its number. */
  name: string
  number: string
}

/** Splits `IMG(1).jpg` into `IMG.jpg` and `(1)`. */
function splitPhoto(filename: string): Named & { stem: string; extension: string } {
  const dot = filename.lastIndexOf('.')
  const [base, extension] = dot > 0 ? [filename.slice(0, dot), filename.slice(dot)] : [filename, '']
  const [, stem = base, number = ''] = /^(.+)(\(\d+\))$/s.exec(base) ?? []
  return { name: stem + extension, stem, extension, number }
}

/** Splits `IMG.jpg(1).json` into `IMG.jpg` and `(1)`. */
function splitSidecar(filename: string): Named {
  const base = filename.slice(0, -'.json'.length)
  const [, name = base, number = ''] = /^(.+)(\(\d+\))$/s.exec(base) ?? []
  return { name, number }
}

/** Returns the stem of the original of an edited copy. In long names, Google cuts off the word too. */
function withoutEdited(stem: string): string | undefined {
  const dash = stem.lastIndexOf('-')
  const word = stem.slice(dash + 1).toLowerCase()
  if (dash <= 0 || word === '') return undefined
  const isEdited = EDITED.some((edited) => (stem.length < CUT_AT_LEAST ? word === edited : edited.startsWith(word)))
  return isEdited ? stem.slice(0, dash) : undefined
}

/** Finds the sidecars of photos. The names are in a database, because there may be very many. */
export class Sidecars {
  readonly #addName: StatementSync
  readonly #closest: StatementSync
  readonly #addStem: StatementSync
  readonly #byStem: StatementSync

  constructor(db: DatabaseSync) {
    db.exec(`
      create table sidecar_names (folder integer, number text, name text, sidecar integer, primary key (folder, number, name)) without rowid;
      create table dated_stems (folder integer, stem text, sidecar integer, primary key (folder, stem)) without rowid;`)
    this.#addName = db.prepare(
      'insert or replace into sidecar_names (folder, number, name, sidecar) values (?, ?, ?, ?)',
    )
    this.#closest = db.prepare(
      'select name, sidecar from sidecar_names where folder = ? and number = ? and name <= ? order by name desc limit 1',
    )
    this.#addStem = db.prepare('insert or replace into dated_stems (folder, stem, sidecar) values (?, ?, ?)')
    this.#byStem = db.prepare('select sidecar from dated_stems where folder = ? and stem = ?')
  }

  /** Adds a sidecar of a folder by its name, which ends in `.json`. */
  add(folder: number, filename: string, sidecar: number): void {
    const { name, number } = splitSidecar(filename)
    this.#addName.run(folder, number, name.toLowerCase(), sidecar)
    // A number before the ending, as in the photo's own name.
    if (number !== '') this.#addName.run(folder, '', (name + number).toLowerCase(), sidecar)
  }

  /** Returns the sidecar of a photo that has one of its own, or is the edited copy of one that has. */
  find(folder: number, filename: string): number | undefined {
    const photo = splitPhoto(filename)
    const found = this.#findOwn(folder, filename)
    if (found !== undefined) {
      this.#addStem.run(folder, stemKey(photo.stem, photo.number), found)
      return found
    }
    const original = withoutEdited(photo.stem)
    if (original === undefined) return undefined
    return this.#findOwn(folder, original + photo.number + photo.extension)
  }

  /**
   * Returns the sidecar of a photo of the same name with another ending, as for the video of a live photo. Call `find` for all photos of
   * the folder first.
   */
  findBesides(folder: number, filename: string): number | undefined {
    const { stem, number } = splitPhoto(filename)
    // The other is for the video `PXL.MP` of the photo `PXL.MP.jpg`.
    for (const key of [stemKey(withoutEdited(stem) ?? stem, number), stemKey(filename, '')]) {
      const found = this.#byStem.get(folder, key)
      if (found) return found.sidecar as number
    }
    return undefined
  }

  #findOwn(folder: number, filename: string): number | undefined {
    const { name, stem, number } = splitPhoto(filename)
    return (
      this.#findNamed(folder, { name, number }) ??
      (number === '' ? undefined : this.#findNamed(folder, { name: filename, number: '' })) ??
      this.#findNamed(folder, { name: stem, number })
    )
  }

  /** The longest name wins. It may be cut off within what Google appends, or, if it is long, within the photo's own name. */
  #findNamed(folder: number, { name, number }: Named): number | undefined {
    const full = (name + MIDDLE).toLowerCase()
    const shortest = Math.min(name.length, CUT_AT_LEAST)
    // Of the names that sort before this one, the closest shares most with it. If it isn't a beginning of it, only what both share can be.
    for (let upTo = full; upTo.length >= shortest; ) {
      const closest = this.#closest.get(folder, number, upTo) as { name: string; sidecar: number } | undefined
      if (!closest) return undefined
      if (full.startsWith(closest.name)) return closest.name.length >= shortest ? closest.sidecar : undefined
      upTo = sharedStart(upTo, closest.name)
    }
    return undefined
  }
}

function stemKey(stem: string, number: string): string {
  return `${stem.toLowerCase()}|${number}`
}

/** Returns the characters with which both begin. */
function sharedStart(one: string, other: string): string {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  const shared = one.slice(0, length)
  // Half a character can't be compared.
  return shared.isWellFormed() ? shared : shared.slice(0, -1)
}
