import type { Folder, Item } from '@alcove/contract/items'
import {
  IconActivity,
  IconCopy,
  IconDownload,
  IconEye,
  IconFolderMinus,
  IconFolderOpen,
  IconFolderSymlink,
  IconHeart,
  IconHeartOff,
  IconHistory,
  IconInbox,
  IconInfoCircle,
  IconLink,
  IconLock,
  IconPencil,
  IconScissors,
  IconTrash,
  IconUsers,
  type TablerIcon,
} from '@tabler/icons-react'
import { isMac, modKey } from '../../lib/keyboard.ts'
import { keepsVersions } from '../../lib/site.ts'
import type { Everything, ItemActions } from '../item-actions.ts'
import { contentIdOf, isMount } from '../mounts.ts'

export interface MenuChoice {
  readonly label: string
  readonly Icon: TablerIcon
  readonly run: () => void
  /** The keyboard shortcut. */
  readonly keys?: string
  readonly isDangerous?: boolean
  /** Why it is disabled. */
  readonly reason?: string
}

/** Returns the menu of an item, in groups with a line between them: first the specification's choices, in its order. */
export function menuFor(item: Item, actions: ItemActions): MenuChoice[][] {
  if (isMount(item)) return menuForMount(item, actions)
  const { preview, share, shareWithPeople, requestFiles, downloadEncrypted } = actions
  const isFolder = item.type === 'folder'
  const open = isFolder && { label: 'Open', Icon: IconFolderOpen, keys: 'Enter', run: () => actions.open(item) }
  const rename = actions.rename && { label: 'Rename', Icon: IconPencil, keys: 'F2', run: () => actions.rename?.(item) }
  const download = { label: 'Download', Icon: IconDownload, run: () => actions.download([item]) }
  const look = preview && { label: 'Preview', Icon: IconEye, run: () => preview(item) }
  const remove = deleteChoice([item], actions)
  const link = share && { label: 'Public Link', Icon: IconLink, run: () => share(item) }
  const people = item.type === 'folder' &&
    shareWithPeople && { label: 'Share With People', Icon: IconUsers, run: () => shareWithPeople(item) }
  const request = item.type === 'folder' &&
    requestFiles && { label: 'Request files', Icon: IconInbox, run: () => requestFiles(item) }
  const ours = [
    ...placeChoices([item], actions),
    favoriteChoice([item], actions),
    historyChoice(item, actions),
    activityChoice(item, actions),
    detailsChoice(item, actions),
  ]
  if (!item.isEncrypted) return groups([open], [rename, download, look, remove], [link, people, request], ours)
  if (isFolder) return groups([open], [rename, download, look, link, remove], ours)
  const raw = downloadEncrypted && {
    label: 'Download Encrypted',
    Icon: IconLock,
    run: () => downloadEncrypted(item),
  }
  return groups([rename, download, remove, link], [look, raw], ours)
}

/** Returns the menu of a folder of somebody else. Its place and name here are the user's own; everything else is shared. */
function menuForMount(item: Folder, actions: ItemActions): MenuChoice[][] {
  const { rename, remove, shareWithPeople } = actions
  return groups(
    [{ label: 'Open', Icon: IconFolderOpen, keys: 'Enter', run: () => actions.open(item) }],
    [
      rename && { label: 'Rename', Icon: IconPencil, keys: 'F2', run: () => rename(item) },
      { label: 'Download', Icon: IconDownload, run: () => actions.download([item]) },
      remove && { label: 'Remove From My Files', Icon: IconFolderMinus, run: () => remove([item]) },
    ],
    [
      shareWithPeople && {
        label: 'People',
        Icon: IconUsers,
        run: () => shareWithPeople({ ...item, id: contentIdOf(item) }),
      },
    ],
    [
      ...placeChoices([item], { ...actions, copy: undefined }),
      favoriteChoice([item], actions),
      detailsChoice(item, actions),
    ],
  )
}

/** Returns the menu of several items. */
export function menuForMany(items: readonly Item[], actions: ItemActions, everything?: Everything): MenuChoice[][] {
  return groups(
    [
      { label: 'Download', Icon: IconDownload, run: () => actions.download(items, everything) },
      ...placeChoices(items, actions, everything),
      favoriteChoice(items, actions, everything),
    ],
    [deleteChoice(items, actions, everything)],
    items[0] && [detailsChoice(undefined, actions)],
  )
}

type MaybeChoice = MenuChoice | undefined | false

function groups(...all: (readonly MaybeChoice[] | undefined | false)[]): MenuChoice[][] {
  return all
    .map((group) => (group || []).filter((choice): choice is MenuChoice => Boolean(choice)))
    .filter((group) => group.length > 0)
}

function deleteChoice(items: readonly Item[], { remove }: ItemActions, everything?: Everything): MaybeChoice {
  if (!remove) return undefined
  const run = () => remove(items, everything)
  return { label: 'Delete', Icon: IconTrash, keys: isMac ? '⌫' : 'Del', isDangerous: true, run }
}

/** Only loaded items can be cut or copied, because pasting sends the id of each. */
const NOT_LOADED = "Some of these items haven't loaded yet"

function placeChoices(items: readonly Item[], actions: ItemActions, everything?: Everything): MaybeChoice[] {
  const { move, copyTo, cut, copy } = actions
  const reason = everything ? NOT_LOADED : undefined
  return [
    move
      ? { label: 'Move', Icon: IconFolderSymlink, run: () => move(items, everything) }
      : copyTo && { label: 'Copy To', Icon: IconFolderSymlink, run: () => copyTo(items, everything) },
    cut && { label: 'Cut', Icon: IconScissors, keys: `${modKey}X`, reason, run: () => cut(items) },
    copy && { label: 'Copy', Icon: IconCopy, keys: `${modKey}C`, reason, run: () => copy(items) },
  ]
}

function favoriteChoice(items: readonly Item[], actions: ItemActions, everything?: Everything): MaybeChoice {
  const { toggleFavorite } = actions
  if (!toggleFavorite) return undefined
  return items.every(({ isFavorite }) => isFavorite)
    ? { label: 'Remove From Favorites', Icon: IconHeartOff, run: () => toggleFavorite(items, false, everything) }
    : { label: 'Add to Favorites', Icon: IconHeart, run: () => toggleFavorite(items, true, everything) }
}

function historyChoice(item: Item, { history }: ItemActions): MaybeChoice {
  if (!history || !keepsVersions || item.type === 'folder') return undefined
  return { label: 'Version history', Icon: IconHistory, run: () => history(item) }
}

function activityChoice(item: Item, { activity }: ItemActions): MaybeChoice {
  if (!activity || item.type === 'file') return undefined
  return { label: 'Activity', Icon: IconActivity, run: () => activity(item) }
}

function detailsChoice(item: Item | undefined, { details }: ItemActions): MaybeChoice {
  if (!details) return undefined
  return { label: 'Details', Icon: IconInfoCircle, keys: isMac ? '⌘I' : 'Ctrl+I', run: () => details(item) }
}
