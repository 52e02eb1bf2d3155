import { plural } from '../../lib/format.ts'
import { notifyError, notifySuccess } from '../../ui/toasts/notify.tsx'
import { groupByFolder } from '../engine/folder-files.ts'
import { uploads } from '../engine/uploads.ts'

/** Goes on with what a reload interrupted, given its files anew, and says what is not as it was. */
export async function chooseAgain(files: readonly File[], entryId?: string): Promise<void> {
  if (files.length === 0) return
  const all = groupByFolder(files).flatMap((folder) => folder.files)
  const chosen = all.map(({ source, relativePath }) =>
    relativePath.includes('/') ? { source, relativePath } : { source },
  )
  const { resumed, changed, others } = await uploads.chooseAgain(chosen, entryId)
  const [first] = changed
  if (changed.length === 1) notifyError(`${first} has changed since: its upload starts again.`)
  if (changed.length > 1)
    notifyError(`${plural(changed.length, 'file')} have changed since: their uploads start again.`)
  if (resumed === 0 && changed.length === 0) {
    notifyError(
      others.length === 1
        ? 'This is another file than the one whose upload began.'
        : 'None of these files belongs to an unfinished upload.',
    )
  } else if (entryId === undefined) {
    notifySuccess(`${plural(resumed + changed.length, 'upload')} resumed.`)
  }
}
