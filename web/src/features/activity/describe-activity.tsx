import type { Activity, ActivityAction } from '@alcove/contract/activity'
import {
  IconArrowBackUp,
  IconCopy,
  IconFolderSymlink,
  IconPencil,
  IconPlus,
  IconRefresh,
  IconTrash,
  IconTrashX,
  type TablerIcon,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { plural } from '../../lib/format.ts'
import styles from './ActivityList.module.css'

type Place = NonNullable<Activity['folder']>
type NamedItem = Activity['items'][number]

/** The name of the root in paths, too. */
const ROOT_NAME = 'Root'

export const activityIcons: Readonly<Record<ActivityAction, TablerIcon>> = {
  added: IconPlus,
  changed: IconRefresh,
  renamed: IconPencil,
  moved: IconFolderSymlink,
  copied: IconCopy,
  trashed: IconTrash,
  restored: IconArrowBackUp,
  deleted: IconTrashX,
}

/** Returns what happened as a sentence without its end: `Mara added 12 files to Photos`. What still exists is a link. */
export function describeActivity(activity: Activity, addressOf: (folderId: string | null) => string): ReactNode {
  const what = <What activity={activity} addressOf={addressOf} />
  const at = (word: string, place: Place | null) => place && <At word={word} place={place} addressOf={addressOf} />
  const { folder, origin } = activity
  const [only] = activity.items
  const sentences: Readonly<Record<ActivityAction, () => ReactNode>> = {
    added: () => (
      <>
        added {what}
        {at('to', folder)}
      </>
    ),
    changed: () => (
      <>
        changed {what}
        {at('in', folder)}
      </>
    ),
    renamed: () =>
      activity.count === 1 && only?.oldName !== undefined ? (
        <>
          renamed <Name>{only.oldName}</Name> to {what}
          {at('in', folder)}
        </>
      ) : (
        <>
          renamed {what}
          {at('in', folder)}
        </>
      ),
    moved: () =>
      folder ? (
        <>
          moved {what}
          {at('from', origin)}
          {at('to', folder)}
        </>
      ) : (
        <>
          moved {what}
          {at('out of', origin)}
        </>
      ),
    copied: () => (
      <>
        copied {what}
        {at('to', folder)}
      </>
    ),
    trashed: () => (
      <>
        deleted {what}
        {at('from', folder)}
      </>
    ),
    restored: () => (
      <>
        restored {what}
        {at('to', folder)}
      </>
    ),
    deleted: () => <>permanently deleted {what}</>,
  }
  return (
    <>
      <Actor actor={activity.actor} /> {sentences[activity.action]()}
    </>
  )
}

function Actor({ actor: { kind, name, isYou } }: Pick<Activity, 'actor'>) {
  if (isYou) return 'You'
  if (kind === 'server') return 'The virus scanner'
  if (kind === 'visitor')
    return name === '' ? (
      'A visitor'
    ) : (
      <>
        <Name>{name}</Name> (visitor)
      </>
    )
  return name === '' ? 'A former member' : <Name>{name}</Name>
}

/** Names come from outside and may be written from right to left. */
function Name({ children }: { readonly children: string }) {
  return (
    <bdi dir="auto" className={styles.name}>
      {children}
    </bdi>
  )
}

interface WhatProps {
  readonly activity: Activity
  readonly addressOf: (folderId: string | null) => string
}

/** The name of a single item, or how many there are. */
function What({ activity: { count, folderCount, items }, addressOf }: WhatProps) {
  const [only] = items
  if (count === 1 && only) return <ItemLink item={only} addressOf={addressOf} />
  const noun = folderCount === 0 ? 'file' : folderCount === count ? 'folder' : 'item'
  return plural(count, noun)
}

/** The names of several items, as far as they are known. */
export function NamedItems({ activity: { count, items }, addressOf }: WhatProps) {
  if (count === 1 || items.length === 0) return null
  const others = count - items.length
  return (
    <p className={styles.items}>
      {items.map((item, index) => (
        <span key={item.id}>
          {index > 0 && ', '}
          <ItemLink item={item} addressOf={addressOf} />
        </span>
      ))}
      {others > 0 && ` and ${plural(others, 'other')}`}
    </p>
  )
}

interface ItemLinkProps {
  readonly item: NamedItem
  readonly addressOf: (folderId: string | null) => string
}

/** Opens a folder, or the folder of a file, which gets the focus there. */
function ItemLink({ item: { id, kind, name, exists, parentId }, addressOf }: ItemLinkProps) {
  if (!exists) return <Name>{name}</Name>
  return kind === 'folder' ? (
    <Link className={styles.link} to={addressOf(id)}>
      <Name>{name}</Name>
    </Link>
  ) : (
    <Link className={styles.link} to={addressOf(parentId)} state={{ arrivalId: id }}>
      <Name>{name}</Name>
    </Link>
  )
}

interface AtProps {
  readonly word: string
  readonly place: Place
  readonly addressOf: (folderId: string | null) => string
}

function At({ word, place: { id, name, exists }, addressOf }: AtProps) {
  const shown = <Name>{id === null ? ROOT_NAME : name}</Name>
  return (
    <>
      {' '}
      {word}{' '}
      {exists ? (
        <Link className={styles.link} to={addressOf(id)}>
          {shown}
        </Link>
      ) : (
        shown
      )}
    </>
  )
}
