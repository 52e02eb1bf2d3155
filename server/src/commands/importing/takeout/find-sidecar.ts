/**
 * Google Takeout puts a JSON file beside each photo, its sidecar, with the date at which the photo was taken. The name of the sidecar is
 * that of the photo with `.supplemental-metadata` (older ones have nothing), cut off at 46 characters, and `.json`. Where several photos
 * have one name, their numbers are at other places: `IMG(1).jpg` belongs to `IMG.jpg(1).json`.
 */

const MIDDLE = '.supplemental-metadata'

/** No sidecar's name is cut off before this. Google cuts at 46 characters, with or without the number. */
const CUT_AT_LEAST = 40

/** What Google appends to edited copies, which share the sidecar of the original, in the languages of accounts. */
const EDITED =
  /-(edited|bearbeitet|modifié|editado|editada|modificato|bewerkt|edytowane|redigerad|redigeret|redigert|muokattu|düzenlendi|upraveno|изменено|編集済み|已修改|편집됨)$/iu

interface Named {
  /** The name without its number. */
  name: string
  number: string
}

/** Splits `IMG(1).jpg` into `IMG.jpg` and `(1)`. */
function splitPhoto(filename: string): Named & { stem: string; extension: string } {
  const dot = filename.lastIndexOf('.')
  const [base, extension] = dot > 0 ? [filename.slice(0, dot), filename.slice(dot)] : [filename, '']
  const [, stem = base, number = ''] = /^(.+)(\(\d+\))$/.exec(base) ?? []
  return { name: stem + extension, stem, extension, number }
}

/** Splits `IMG.jpg(1).json` into `IMG.jpg` and `(1)`. */
function splitSidecar(filename: string): Named {
  const base = filename.slice(0, -'.json'.length)
  const [, name = base, number = ''] = /^(.+)(\(\d+\))$/.exec(base) ?? []
  return { name, number }
}

/** Finds the sidecars of the photos in one folder. */
export class Sidecars<T> {
  readonly #byName = new Map<string, T>()
  readonly #byStem = new Map<string, T>()

  /** Adds a sidecar by its name, which ends in `.json`. */
  add(filename: string, sidecar: T): void {
    const { name, number } = splitSidecar(filename)
    this.#byName.set(keyOf(name, number), sidecar)
    // A number before the ending, as in the photo's own name.
    this.#byName.set(keyOf(filename.slice(0, -'.json'.length), ''), sidecar)
  }

  /** Remembers to which photo a sidecar belongs, for the video of a live photo: it has the same name with another ending. */
  #note({ stem, number }: { stem: string; number: string }, sidecar: T): T {
    this.#byStem.set(keyOf(stem, number), sidecar)
    return sidecar
  }

  /** Returns the sidecar of a photo that has one of its own, or is the edited copy of one that has. */
  find(filename: string): T | undefined {
    const photo = splitPhoto(filename)
    const found =
      this.#findNamed(photo) ??
      this.#findNamed({ name: filename, number: '' }) ??
      this.#findNamed({ name: photo.stem, number: photo.number })
    if (found !== undefined) return this.#note(photo, found)
    const original = photo.stem.replace(EDITED, '')
    if (original === photo.stem) return undefined
    return this.#findNamed({ name: original + photo.extension, number: photo.number })
  }

  /** Returns the sidecar of a photo of the same name with another ending. Call `find` for all photos of the folder first. */
  findBesides(filename: string): T | undefined {
    const { stem, number } = splitPhoto(filename)
    const besides = this.#byStem.get(keyOf(stem.replace(EDITED, ''), number))
    // The video `PXL.MP` of the photo `PXL.MP.jpg`.
    return besides ?? this.#byStem.get(keyOf(filename, ''))
  }

  /** The longest name wins. It may be cut off within what Google appends, or, if it is long, within the photo's own name. */
  #findNamed({ name, number }: Named): T | undefined {
    const full = name + MIDDLE
    const shortest = Math.min(name.length, CUT_AT_LEAST)
    for (let length = full.length; length >= shortest; length--) {
      const found = this.#byName.get(keyOf(full.slice(0, length), number))
      if (found !== undefined) return found
    }
    return undefined
  }
}

function keyOf(name: string, number: string): string {
  return `${name.toLowerCase()}|${number}`
}
