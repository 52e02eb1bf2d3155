import type { Item } from '@alcove/contract/items'
import type { Selected } from '../../../items/ListFrame.tsx'
import { FolderDetails } from './FolderDetails.tsx'
import { ItemDetails } from './ItemDetails.tsx'
import { SelectionDetails } from './SelectionDetails.tsx'

interface DetailsContentProps {
  /** What was asked about by name, which comes before what is selected. */
  readonly requested: Item | undefined
  readonly selected: Selected
  readonly folderId: string | undefined
}

/** The details: of one item, of several, or of the folder that is shown. */
export function DetailsContent({ requested, selected, folderId }: DetailsContentProps) {
  const { items, everything } = selected
  const [only] = items
  const isSeveral = everything !== undefined || items.length > 1
  const shown = requested ?? (isSeveral ? undefined : only)
  if (shown) return <ItemDetails key={shown.id} item={shown} />
  return isSeveral ? <SelectionDetails selected={selected} /> : <FolderDetails folderId={folderId} />
}
