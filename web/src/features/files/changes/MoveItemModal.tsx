import { FOLDER_NAME_EMPTY } from '@alcove/contract/names'
import { Button, Group } from '@mantine/core'
import { modals } from '@mantine/modals'
import { IconFolderPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { isRoot, VAULT_ROOT } from '../../../api/vault-root.ts'
import { plural } from '../../../lib/format.ts'
import { openDialog } from '../../../ui/dialogs/open-dialog.tsx'
import { ROOT_NAME } from '../folder-contents.ts'
import { useFolderPlace, useSubFolders } from '../queries.ts'
import { namesOf } from './change-texts.ts'
import { type Chosen, countOf, foldersOf } from './chosen-items.ts'
import { useCreateFolder } from './create-and-rename.ts'
import { FolderPickerList, FolderPickerPath } from './FolderPicker.tsx'
import styles from './MoveItemModal.module.css'
import { copyChosen, moveChosen } from './move-items.ts'
import { ItemNameForm } from './NameModals.tsx'

/** Lets the user browse the folders and move or copy items into one, as an alternative to dragging. */
export function openMoveItemModal(chosen: Chosen): void {
  const count = countOf(chosen)
  const modalId = openDialog({
    title: `Move ${count === 1 ? chosen.items[0]?.type : plural(count, 'item')}`,
    size: 480,
    children: <MoveItemForm chosen={chosen} onClose={() => modals.close(modalId)} />,
  })
}

interface MoveItemFormProps {
  readonly chosen: Chosen
  readonly onClose: () => void
}

function MoveItemForm({ chosen, onClose }: MoveItemFormProps) {
  const queryClient = useQueryClient()
  const [folderId, setFolderId] = useState(() => foldersOf(chosen)[0])
  const [isCreating, setIsCreating] = useState(false)
  const { mutateAsync: createFolder, isPending } = useCreateFolder(folderId)
  const movedIds = useMemo(() => new Set(chosen.items.map(({ id }) => id)), [chosen])
  const isHere = foldersOf(chosen).every((home) => home === folderId)
  const isSent = useRef(false)
  const rootId = chosen.items[0]?.isEncrypted ? VAULT_ROOT : undefined

  function open(id: string | undefined) {
    setFolderId(id)
    setIsCreating(false)
  }

  function finish(change: typeof moveChosen | typeof copyChosen) {
    if (isSent.current) return // a double click
    isSent.current = true
    void change(queryClient, chosen, folderId)
    onClose()
  }

  return (
    <>
      <p className={styles.what}>
        Choose a folder for <bdi>{namesOf(chosen)}</bdi>.
      </p>
      <FolderChoice folderId={folderId} rootId={rootId} movedIds={movedIds} onOpen={open} />
      {isCreating ? (
        <div className={styles.creating}>
          <ItemNameForm
            verb="Create"
            folderId={folderId}
            emptyMessage={FOLDER_NAME_EMPTY}
            isBusy={isPending}
            onSubmit={async (newName) => open((await createFolder(newName)).id)}
            onClose={() => setIsCreating(false)}
          />
        </div>
      ) : (
        <Group className={styles.foot} gap="xs" mt="lg">
          <Button
            className={styles.create}
            variant="subtle"
            leftSection={<IconFolderPlus size={18} stroke={1.75} />}
            onClick={() => setIsCreating(true)}
          >
            New folder
          </Button>
          <Button variant="default" onClick={() => finish(copyChosen)}>
            Copy here
          </Button>
          <Button
            disabled={isHere}
            aria-describedby={isHere ? 'move-reason' : undefined}
            onClick={() => finish(moveChosen)}
          >
            Move here
          </Button>
          <span className={styles.reason} id="move-reason" role="status">
            {isHere && (movedIds.size === 1 ? 'It is already here.' : 'They are already here.')}
          </span>
        </Group>
      )}
    </>
  )
}

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
