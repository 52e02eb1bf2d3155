import { useEffect, useRef } from 'react'
import { isRoot } from '../../../api/vault-root.ts'
import { ROOT_NAME } from '../folder-contents.ts'
import { useFolderPlace, useSubFolders } from '../queries.ts'
import { FolderPickerList, FolderPickerPath } from './FolderPicker.tsx'

interface FolderChoiceProps {
  /** The folder that is shown, which is the chosen one; undefined for the root of the drive. */
  readonly folderId: string | undefined
  /** The id of the root that the path starts with; undefined for that of the drive. */
  readonly rootId?: string
  /** Folders that can't be opened, because they are being moved. */
  readonly movedIds?: ReadonlySet<string>
  readonly onOpen: (folderId: string | undefined) => void
}

const NO_IDS: ReadonlySet<string> = new Set()

/** Lets the user browse the folders. The folder that is shown is the chosen one. */
export function FolderChoice({ folderId, rootId, movedIds = NO_IDS, onOpen }: FolderChoiceProps) {
  const { data, isError, refetch } = useSubFolders(folderId)
  const { name, path } = useFolderPlace(folderId)
  const list = useRef<HTMLDivElement>(null)
  const shownId = useRef(folderId)
  useEffect(() => {
    // The button that opened the folder is gone.
    if (shownId.current !== folderId) list.current?.focus()
    shownId.current = folderId
  }, [folderId])
  return (
    <>
      <FolderPickerPath path={path} name={name} isRoot={isRoot(folderId)} onOpen={(id) => onOpen(id ?? rootId)} />
      <FolderPickerList
        key={folderId ?? ROOT_NAME}
        ref={list}
        label={`Folders in ${name}`}
        folders={data}
        isError={isError}
        movedIds={movedIds}
        onRetry={() => void refetch()}
        onOpen={onOpen}
      />
    </>
  )
}
