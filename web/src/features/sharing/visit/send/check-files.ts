import { extensionOf } from '@alcove/contract/file-types'
import type { FileRequest } from '@alcove/contract/submissions'
import { formatMoment, formatSize, plural } from '../../../../lib/format.ts'
import type { Chosen } from '../../../../uploader/file-input/chosen-files.ts'

type Limits = Pick<FileRequest, 'fileTypes' | 'maxFileBytes'>

/** A file that the link doesn't accept. */
export interface RefusedFile {
  readonly name: string
  readonly reason: string
}

/** Separates the chosen files that a link accepts from the others, so that these are refused before a byte is sent. */
export function checkFiles(
  { files, folders }: Chosen,
  limits: Limits,
): { readonly accepted: Chosen; readonly refused: readonly RefusedFile[] } {
  const refused: RefusedFile[] = []
  const isAccepted = (file: Pick<File, 'name' | 'size'>, name = file.name) => {
    const reason = findProblem(file, limits)
    if (reason) refused.push({ name, reason })
    return reason === undefined
  }
  const accepted = {
    files: files.filter((file) => isAccepted(file)),
    folders: folders.map((folder) => ({
      ...folder,
      files: folder.files.filter(({ source, relativePath }) => isAccepted(source, relativePath)),
    })),
  }
  // A folder of which nothing is accepted isn't created either.
  const folderNames = new Set(
    accepted.folders.filter((folder, index) => folder.files.length > 0 || folders[index]?.files.length === 0),
  )
  return { accepted: { ...accepted, folders: accepted.folders.filter((folder) => folderNames.has(folder)) }, refused }
}

function findProblem(
  { name, size }: Pick<File, 'name' | 'size'>,
  { fileTypes, maxFileBytes }: Limits,
): string | undefined {
  if (fileTypes.length > 0 && !fileTypes.includes(extensionOf(name)))
    return `Only ${listTypes(fileTypes)} files can be sent.`
  if (maxFileBytes !== null && size > maxFileBytes) return `A file can have at most ${formatSize(maxFileBytes)}.`
  return undefined
}

function listTypes(types: readonly string[]): string {
  return types.length === 1 ? `${types[0]}` : `${types.slice(0, -1).join(', ')} and ${types.at(-1)}`
}

/** Counts the files and the folders that are created even if they are empty. */
export function countChosen({ files, folders }: Chosen): number {
  return files.length + folders.reduce((count, folder) => count + Math.max(folder.files.length, 1), 0)
}

/** Returns what visitors need to know before they choose files. */
export function describeLimits({ fileTypes, maxFileBytes, maxFiles, expiresAt }: FileRequest): string[] {
  return [
    ...(fileTypes.length > 0 ? [`Only ${listTypes(fileTypes)} files.`] : []),
    ...(maxFileBytes !== null ? [`At most ${formatSize(maxFileBytes)} for each file.`] : []),
    ...(maxFiles !== null ? [`At most ${plural(maxFiles, 'file')} from everyone together.`] : []),
    ...(expiresAt !== null ? [`Until ${formatMoment(expiresAt)}.`] : []),
  ]
}
