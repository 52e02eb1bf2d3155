import { plural } from '../../../lib/format.ts'
import { trashRetention } from '../../../lib/site.ts'
import { type Chosen, countOf } from './chosen-items.ts'

/** The specification's literal texts for one file or folder, and our own for several items. */
interface Wording {
  readonly file: string
  readonly folder: string
  readonly several: (items: string) => string
}

function isSecretFile(chosen: Chosen): boolean {
  const [item] = chosen.items
  return countOf(chosen) === 1 && item?.type === 'file' && item.isEncrypted
}

function say({ file, folder, several }: Wording, chosen: Chosen): string {
  const count = countOf(chosen)
  const [item] = chosen.items
  if (count !== 1 || !item) return several(plural(count, 'item'))
  return item.type === 'file' ? file : folder
}

const wording = (file: string, folder: string, several: Wording['several']): Wording => ({ file, folder, several })

const askTrash = wording(
  'Are you sure you want to delete this file?',
  'Are you sure you want to delete this folder and all its contents?',
  (items) => `Are you sure you want to delete these ${items}?`,
)
/** The specification's text for one file of the vault. */
const secretTrashed = 'File deleted'

const trashed = wording('File deleted successfully.', 'Folder deleted successfully.', (items) => `${items} deleted.`)
const notTrashed = wording(
  'File deletion failed.',
  'Folder deletion failed.',
  (items) => `${items} could not be deleted.`,
)
const restored = wording('File restored.', 'Folder restored.', (items) => `${items} restored.`)
const moved = wording('File moved successfully.', 'Folder moved successfully.', (items) => `${items} moved.`)
const movedBack = wording('File moved back.', 'Folder moved back.', (items) => `${items} moved back.`)
const copied = wording('File copied.', 'Folder copied.', (items) => `${items} copied.`)
const copying = wording('Copying the file…', 'Copying the folder…', (items) => `Copying ${items}…`)
const uncopied = wording('The copy is in the trash.', 'The copy is in the trash.', () => 'The copies are in the trash.')
const notMoved = wording('Failed to move file', 'Failed to move folder', (items) => `Failed to move ${items}`)
const notCopied = wording('Failed to copy file', 'Failed to copy folder', (items) => `Failed to copy ${items}`)

export const changeTexts = {
  askTrash: (chosen: Chosen) => say(askTrash, chosen),
  /** Names the items, and says what happens to them. */
  askTrashDetail: (chosen: Chosen) =>
    `${namesOf(chosen)}. ${chosen.isOthers ? 'The owner of the folder' : 'You'} can restore ${countOf(chosen) === 1 ? 'it' : 'them'} from Trash for ${trashRetention}.`,
  whereTrashed: ({ isOthers }: Chosen) =>
    `Moved to Trash${isOthers ? ' of the folder’s owner' : ''}. Permanently deleted after ${trashRetention}.`,
  trashed: (chosen: Chosen) => (isSecretFile(chosen) ? secretTrashed : say(trashed, chosen)),
  /** The vault has different texts for a refusal and for a server that can't be reached. */
  notTrashed: (chosen: Chosen, isRefused = true) =>
    isSecretFile(chosen) ? (isRefused ? 'Delete failed' : 'Delete error') : say(notTrashed, chosen),
  restored: (chosen: Chosen) => say(restored, chosen),
  moved: (chosen: Chosen) => say(moved, chosen),
  whereOriginals: (chosen: Chosen) =>
    countOf(chosen) === 1 ? 'The original is in its owner’s trash.' : 'The originals are in their owner’s trash.',
  movedBack: (chosen: Chosen) => say(movedBack, chosen),
  copied: (chosen: Chosen) => say(copied, chosen),
  copying: (chosen: Chosen) => say(copying, chosen),
  uncopied: (chosen: Chosen) => say(uncopied, chosen),
  notMoved: (chosen: Chosen, reason?: string) => withReason(say(notMoved, chosen), reason),
  notCopied: (chosen: Chosen, reason?: string) => withReason(say(notCopied, chosen), reason),
}

/** Returns `Failed to move file: {error}`, or `Failed to move file.` without a reason. */
function withReason(text: string, reason: string | undefined): string {
  return reason ? `${text}: ${reason}` : `${text}.`
}

/** Names the chosen items, at most three of them: `a.txt, b.txt, c.txt and 10 more`. */
export function namesOf(chosen: Chosen): string {
  const named = chosen.items.slice(0, NAMED).map(({ name }) => name)
  const others = countOf(chosen) - named.length
  return others > 0 ? `${named.join(', ')} and ${others} more` : named.join(', ')
}

const NAMED = 3
