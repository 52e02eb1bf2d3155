import type { Item } from '@alcove/contract/items'
import { ActionIcon, Button, Group } from '@mantine/core'
import { modals } from '@mantine/modals'
import { IconArrowLeft } from '@tabler/icons-react'
import { useState } from 'react'
import { parentOf } from '../../lib/item-lists.ts'
import { FolderPickerList } from './FolderPickerList.tsx'
import { ROOT_NAME } from './folder-contents.ts'
import styles from './MoveItemModal.module.css'
import { useFolder, useFolderPlace } from './queries.ts'
import { useMoveItem } from './use-item-changes.ts'

/** Lets the user walk through the folders and move the item into one: what dragging does, without a mouse. */
export function openMoveItemModal(item: Item): void {
  const modalId = modals.open({
    title: `Move ${item.type}`,
    size: 460,
    children: <MoveItemForm item={item} onClose={() => modals.close(modalId)} />,
  })
}

interface MoveItemFormProps {
  readonly item: Item
  readonly onClose: () => void
}

function MoveItemForm({ item, onClose }: MoveItemFormProps) {
  const [folderId, setFolderId] = useState(parentOf(item))
  const { data, isError, refetch } = useFolder(folderId)
  const place = useFolderPlace(folderId)
  const { mutate } = useMoveItem()
  const isHere = folderId === parentOf(item)

  function moveHere() {
    mutate({ item, targetFolderId: folderId })
    onClose()
  }

  return (
    <>
      <p className={styles.what}>
        Choose a folder for <bdi>{item.name}</bdi>.
      </p>
      <div className={styles.place}>
        {folderId !== undefined && (
          <ActionIcon aria-label="Back to the folder above" onClick={() => setFolderId(place.parentId ?? undefined)}>
            <IconArrowLeft size={18} stroke={1.75} />
          </ActionIcon>
        )}
        <strong className={styles.name} aria-live="polite">
          <bdi>{place.name}</bdi>
        </strong>
      </div>
      <FolderPickerList
        key={folderId ?? ROOT_NAME}
        folders={data?.folders}
        isError={isError}
        exceptId={item.id}
        onRetry={() => void refetch()}
        onOpen={setFolderId}
      />
      <Group justify="flex-end" gap="xs" mt="lg">
        {isHere && <span className={styles.reason}>It is here already.</span>}
        <Button variant="subtle" onClick={onClose}>
          Cancel
        </Button>
        <Button disabled={isHere} onClick={moveHere}>
          Move here
        </Button>
      </Group>
    </>
  )
}
