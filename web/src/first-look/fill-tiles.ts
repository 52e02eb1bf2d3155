import type { OutputOf } from '@alcove/contract/call'
import type { listItems } from '@alcove/contract/item-calls'
import type { File, Folder, Item } from '@alcove/contract/items'
import { thumbnailKindOf } from '@alcove/contract/thumbnails'
import { guessHeights, layOut, type RowHeights, type RowKind, rowAt } from '../items/grid/layout.ts'
import { describeFolder, describeSize } from '../items/lists/describe-item.ts'
import { countFolders } from '../items/lists/item-lists.ts'
import { endOfName, fileKindOf } from '../lib/file-names.ts'
import { formatDayWithYear } from '../lib/format.ts'
import { labelOf } from '../ui/file-type-look.ts'
import { nameWidths } from '../ui/name-widths.ts'
import type { Classes } from './render-first-look.tsx'

/** The number of pictures fetched before the program, because they compete with it for the connection. */
const PICTURES = 4

interface Tools {
  readonly classes: Classes
  /** Makes an element from one of the page's templates. */
  readonly make: (name: string) => HTMLElement
  readonly loadPicture: (file: File) => Promise<string | undefined>
}

/** Draws the tiles in view into the empty grid, in the positions in which the program will draw them. */
export function fillTiles(body: HTMLElement, list: OutputOf<typeof listItems>, tools: Tools): void {
  const { classes } = tools
  const { width, top } = body.getBoundingClientRect()
  const lay = (heights: RowHeights) => layOut('grid', list.total, countFolders(list), width, heights)
  const guessed = guessHeights(width)
  const layout = lay(guessed)
  const rows: HTMLElement[] = []
  let pictures = PICTURES
  for (let index = 0; index < layout.rowCount; index++) {
    const { kind, heading, start, end, columns, top: rowTop } = rowAt(layout, index)
    if (top + rowTop > window.innerHeight || (kind !== 'heading' && end > list.items.length)) break
    const row = makeRow(kind, columns, classes)
    if (heading) row.append(makeHeading(heading, classes))
    for (const item of list.items.slice(start, end)) {
      const tile = makeTile(item, tools)
      if (item.type === 'file' && isPicture(item) && pictures-- > 0) void showPicture(tile, item, tools)
      row.append(tile)
    }
    rows.push(row)
  }
  body.append(...rows)
  const exact = lay({ ...guessed, ...measure(rows) })
  body.style.height = `${exact.height}px`
  rows.forEach((row, index) => {
    row.style.transform = `translateY(${rowAt(exact, index).top}px)`
  })
}

function makeRow(kind: RowKind, columns: number, classes: Classes): HTMLElement {
  const row = document.createElement('div')
  row.className = classes.row
  row.dataset.kind = kind
  row.dataset.sample = 'true'
  row.style.gridTemplateColumns = `repeat(${columns}, minmax(0, 1fr))`
  return row
}

function makeHeading(text: string, classes: Classes): HTMLElement {
  const cell = document.createElement('div')
  const heading = document.createElement('h2')
  heading.className = classes.heading
  heading.textContent = text
  cell.append(heading)
  return cell
}

/** Measures the height of each kind of row, which depends on the text size. */
function measure(rows: readonly HTMLElement[]): Partial<RowHeights> {
  return Object.fromEntries(rows.map((row) => [row.dataset.kind, row.offsetHeight]))
}

function makeTile(item: Item, tools: Tools): HTMLElement {
  return item.type === 'folder' ? makeFolderTile(item, tools) : makeFileTile(item, tools)
}

function makeFolderTile(folder: Folder, { make, classes }: Tools): HTMLElement {
  const tile = make('folder')
  writeName(find(tile, classes.name), folder.name)
  const meta = find(tile, classes.meta)
  const further = meta.lastElementChild
  const { contents, modified } = describeFolder(folder)
  if (contents === undefined || !further) meta.textContent = modified
  else {
    meta.replaceChildren(contents, further)
    further.textContent = ` · ${modified}`
  }
  return tile
}

function makeFileTile(file: File, { make, classes }: Tools): HTMLElement {
  const tile = make('file')
  writeName(find(tile, classes.name), file.name)
  find(tile, classes.meta).textContent = `${describeSize(file)} · ${formatDayWithYear(file.modifiedAt)}`
  const sheet = make(fileKindOf(file.name))
  const label = labelOf(file.name)
  const text = sheet.querySelector('text')
  const outline = text?.previousElementSibling
  if (label) {
    outline?.setAttribute('d', label.outline)
    text?.setAttribute('x', String(label.middle))
    if (text) text.textContent = label.text
  } else {
    outline?.remove()
    text?.remove()
  }
  find(tile, classes.thumbnail).replaceChildren(sheet)
  return tile
}

function writeName(line: HTMLElement, name: string): void {
  const end = endOfName(name)
  if (line.firstElementChild) line.firstElementChild.textContent = name
  if (end === '') return
  line.dataset.end = end
  nameWidths.observe(line)
}

function isPicture(file: File): boolean {
  return thumbnailKindOf(file.name) === 'picture' && file.size > 0 && !file.isEncrypted
}

async function showPicture(tile: HTMLElement, file: File, { loadPicture, classes }: Tools): Promise<void> {
  const address = await loadPicture(file)
  if (address === undefined) return
  const picture = document.createElement('img')
  picture.className = classes.picture
  picture.alt = ''
  picture.dataset.drawn = 'true'
  picture.src = address
  // If the picture can't be decoded, the file's icon stays.
  await picture.decode().then(
    () => find(tile, classes.thumbnail).replaceChildren(picture),
    () => undefined,
  )
  URL.revokeObjectURL(address)
}

/** Finds the element with a class in a template. */
function find(root: ParentNode, className: string): HTMLElement {
  const element = root.querySelector<HTMLElement>(`.${className}`)
  if (!element) throw new Error(`No element has the class ${className}.`)
  return element
}
