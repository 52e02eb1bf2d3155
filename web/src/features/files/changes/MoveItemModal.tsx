import type { SharedFolder } from '@alcove/contract/members'
import { FOLDER_NAME_EMPTY } from '@alcove/contract/names'
import { suffices } from '@alcove/contract/roles'
import { Button, Group } from '@mantine/core'
import { modals } from '@mantine/modals'
import { IconFolderPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { isRoot, VAULT_ROOT } from '../../../api/vault-root.ts'
import { DEFAULT_SORT, sortItems } from '../../../items/lists/item-order.ts'
import { sharedWithMeQuery, useSharedAround } from '../../../items/shared-with-me.ts'
import { plural } from '../../../lib/format.ts'
import { openDialog } from '../../../ui/dialogs/open-dialog.tsx'
import { ROOT_NAME } from '../folder-contents.ts'
import { useFolderPlace, useSubFolders } from '../queries.ts'
import { namesOf } from './change-texts.ts'
import { type Chosen, countOf, foldersOf } from './chosen-items.ts'
import { useCreateFolder } from './create-and-rename.ts'
import { FolderPickerList, FolderPickerPath, type PickedFolder, SHARED_PLACE } from './FolderPicker.tsx'
import styles from './MoveItemModal.module.css'
import { copyChosen, moveChosen } from './move-items.ts'
import { ItemNameForm } from './NameModals.tsx'

/**
 * Lets the user browse the folders and move or copy items into one, as an alternative to dragging. Where the user can't move items,
 * it only copies them.
 */
export function openMoveItemModal(chosen: Chosen, canMove: boolean): void {
  const count = countOf(chosen)
  const modalId = openDialog({
    title: `${canMove ? 'Move' : 'Copy'} ${count === 1 ? chosen.items[0]?.type : plural(count, 'item')}`,
    size: 480,
    children: <MoveItemForm chosen={chosen} canMove={canMove} onClose={() => modals.close(modalId)} />,
  })
}

interface MoveItemFormProps {
  readonly chosen: Chosen
  readonly canMove: boolean
  readonly onClose: () => void
}

function MoveItemForm({ chosen, canMove, onClose }: MoveItemFormProps) {
  const queryClient = useQueryClient()
  // Who can't move items is in somebody else's folder, and copies them into an own one.
  const [folderId, setFolderId] = useState(() => (canMove ? foldersOf(chosen)[0] : undefined))
  const [isCreating, setIsCreating] = useState(false)
  const { mutateAsync: createFolder, isPending } = useCreateFolder(folderId)
  const movedIds = useMemo(() => new Set(canMove ? chosen.items.map(({ id }) => id) : []), [chosen, canMove])
  const isHere = foldersOf(chosen).every((home) => home === folderId)
  const isSent = useRef(false)
  const isVault = chosen.items[0]?.isEncrypted === true
  const noPlace = useNoPlace(folderId)
  const isAlready = isHere && (movedIds.size === 1 ? 'It is already here.' : 'They are already here.')
  const reason = noPlace || (canMove && isAlready)

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
      <FolderChoice
        folderId={folderId}
        rootId={isVault ? VAULT_ROOT : undefined}
        movedIds={movedIds}
        hasShared={!isVault}
        onOpen={open}
      />
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
            disabled={noPlace !== undefined}
            onClick={() => setIsCreating(true)}
          >
            New folder
          </Button>
          <Button
            variant={canMove ? 'default' : undefined}
            disabled={noPlace !== undefined}
            aria-describedby={noPlace && 'move-reason'}
            onClick={() => finish(copyChosen)}
          >
            Copy here
          </Button>
          {canMove && (
            <Button
              disabled={isHere || noPlace !== undefined}
              aria-describedby={reason ? 'move-reason' : undefined}
              onClick={() => finish(moveChosen)}
            >
              Move here
            </Button>
          )}
          <span className={styles.reason} id="move-reason" role="status">
            {reason}
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
  /** Offers the folders of others to which the user may add, too. */
  readonly hasShared?: boolean
  readonly onOpen: (folderId: string | undefined) => void
}

const NO_IDS: ReadonlySet<string> = new Set()

/** Says why nothing can be put into the folder that is shown, if that is so. */
function useNoPlace(folderId: string | undefined): string | undefined {
  const { path } = useFolderPlace(folderId === SHARED_PLACE ? undefined : folderId)
  const role = useSharedAround(folderId ? [folderId, ...path.map(({ id }) => id)] : [])?.role
  if (folderId === SHARED_PLACE) return 'Choose one of these folders.'
  return role && !suffices(role, 'contributor') ? 'You can only view this folder.' : undefined
}

/** Lets the user browse the folders. The folder that is shown is the chosen one. */
export function FolderChoice({ folderId, rootId, movedIds = NO_IDS, hasShared = false, onOpen }: FolderChoiceProps) {
  const isOfShared = folderId === SHARED_PLACE
  const ofFolder = useSubFolders(folderId, { enabled: !isOfShared })
  const place = useFolderPlace(isOfShared ? undefined : folderId)
  const shared = useQuery({ ...sharedWithMeQuery, enabled: hasShared })
  const offered = (hasShared && shared.data?.folders.filter(({ role }) => suffices(role, 'contributor'))) || []
  const isInShared = shared.data?.folders.some(({ id }) => id === folderId || place.path.some((step) => step.id === id))
  const { data, isError, refetch } = isOfShared ? shared : ofFolder
  const folders = useMemo(
    () =>
      ofFolder.data &&
      sortItems(ofFolder.data, DEFAULT_SORT).map(({ id, name, isEncrypted }) => ({ id, name, isEncrypted })),
    [ofFolder.data],
  )
  const sharedPlace = offered.length > 0 && isRoot(folderId) ? [{ id: SHARED_PLACE, name: SHARED_NAME }] : []
  const choices: readonly PickedFolder[] | undefined = isOfShared
    ? offered.map(describeShared)
    : folders && [...sharedPlace, ...folders]
  const name = isOfShared ? SHARED_NAME : place.name
  const list = useRef<HTMLDivElement>(null)
  const shownId = useRef(folderId)
  useEffect(() => {
    // The button that opened the folder is gone.
    if (shownId.current !== folderId) list.current?.focus()
    shownId.current = folderId
  }, [folderId])
  return (
    <>
      <FolderPickerPath
        path={isInShared ? [{ id: SHARED_PLACE, name: SHARED_NAME }, ...place.path] : place.path}
        name={name}
        isRoot={isRoot(folderId)}
        onOpen={(id) => onOpen(id ?? rootId)}
      />
      <FolderPickerList
        key={folderId ?? ROOT_NAME}
        ref={list}
        label={`Folders in ${name}`}
        folders={data && choices}
        isError={isError}
        movedIds={movedIds}
        onRetry={() => void refetch()}
        onOpen={onOpen}
      />
    </>
  )
}

const SHARED_NAME = 'Shared with me'

function describeShared({ id, name, owner }: SharedFolder): PickedFolder {
  return { id, name, owner: owner.displayName || owner.email }
}
