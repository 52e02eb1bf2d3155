import type { Notice, NoticeContent, NoticeKind, SecurityChange } from '@alcove/contract/notices'
import {
  type Icon,
  IconBug,
  IconDatabase,
  IconDevices,
  IconInbox,
  IconShieldLock,
  IconTrash,
  IconUserMinus,
  IconUserStar,
  IconUsers,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { formatCount, formatStorage, plural } from '../../lib/format.ts'

export interface NoticeLook {
  readonly Icon: Icon
  readonly sentence: ReactNode
  /** The address where the user can do something about it. */
  readonly to: string
}

type Describe<Kind extends NoticeKind> = (
  data: Extract<NoticeContent, { kind: Kind }>['data'],
  count: number,
) => NoticeLook

/** Names come from outside and may be written from right to left. */
const name = (text: string) => <bdi>{text}</bdi>

const securityChanges: Readonly<Record<SecurityChange, string>> = {
  two_factor_on: 'Two-factor sign-in was turned on',
  two_factor_off: 'Two-factor sign-in was turned off',
  recovery_codes_renewed: 'Your recovery codes were replaced',
  passkey_added: 'A passkey was added',
  passkey_removed: 'A passkey was removed',
  app_password_created: 'An app password was created',
  identity_linked: 'A sign-in provider was linked',
  identity_unlinked: 'The link to a sign-in provider was removed',
}

const kinds: { readonly [Kind in NoticeKind]: Describe<Kind> } = {
  storage: ({ percent, usedBytes, allocatedBytes }) => ({
    Icon: IconDatabase,
    sentence: `Your storage is ${percent === 100 ? 'full' : `${percent}% full`}: ${formatStorage(usedBytes)} of ${formatStorage(allocatedBytes)} used.`,
    to: '/account#billing',
  }),
  files_received: ({ folderId, folder, visitor }, count) => ({
    Icon: IconInbox,
    sentence: (
      <>
        {count === 1 ? 'A file' : `${formatCount(count)} files`} arrived in “{name(folder)}”
        {visitor !== null && (
          <>
            , {count === 1 ? '' : 'the last '}from {name(visitor)}
          </>
        )}
        .
      </>
    ),
    to: `/profile?folder=${folderId}`,
  }),
  share_offered: ({ folder, from }) => ({
    Icon: IconUsers,
    sentence: (
      <>
        {name(from)} wants to share “{name(folder)}” with you.
      </>
    ),
    to: '/shared-with-me',
  }),
  shared_storage_full: ({ folderId, folder, owner }) => ({
    Icon: IconDatabase,
    sentence: (
      <>
        The storage of {name(owner)} is full, so nothing can be added to “{name(folder)}”.
      </>
    ),
    to: `/profile?folder=${folderId}`,
  }),
  ownership_offered: ({ folder, from }) => ({
    Icon: IconUserStar,
    sentence: (
      <>
        {name(from)} wants to make you the owner of “{name(folder)}”.
      </>
    ),
    to: '/shared-with-me',
  }),
  ownership_answered: ({ folderId, folder, by, isAccepted }) => ({
    Icon: IconUserStar,
    sentence: (
      <>
        {name(by)} {isAccepted ? 'is the owner of' : 'declined to become the owner of'} “{name(folder)}”
        {isAccepted && ' now'}.
      </>
    ),
    to: `/profile?folder=${folderId}`,
  }),
  share_ended: ({ folder, owner }, count) => ({
    Icon: IconUserMinus,
    sentence: (
      <>
        {name(owner)} deleted their account. “{name(folder)}”{count > 1 && ` and ${plural(count - 1, 'other folder')}`},
        which they shared with you, {count === 1 ? 'is' : 'are'} gone.
      </>
    ),
    to: '/shared-with-me',
  }),
  malware_received: ({ filename }) => ({
    Icon: IconBug,
    sentence: <>The scanner found something in “{name(filename)}”, which a visitor sent. It is in the trash.</>,
    to: '/trash',
  }),
  mass_deletion: ({ app }) => ({
    Icon: IconTrash,
    sentence: <>{name(app)} deleted many of your files. You can restore them.</>,
    to: '/trash',
  }),
  new_sign_in: ({ device, ip }, count) => ({
    Icon: IconDevices,
    sentence:
      count === 1 ? (
        <>
          New sign-in: {name(device)}, from {name(ip)}.
        </>
      ) : (
        <>
          {formatCount(count)} new sign-ins: {name(device)}, the last from {name(ip)}.
        </>
      ),
    to: '/account#security',
  }),
  security_change: ({ change, name: subject }) => ({
    Icon: IconShieldLock,
    sentence: (
      <>
        {securityChanges[change]}
        {subject !== undefined && <>: “{name(subject)}”</>}.
      </>
    ),
    to: '/account#security',
  }),
}

/** Returns how a notice looks: its icon, a sentence, and the address that it leads to. */
export function describeNotice({ kind, data, count }: Notice): NoticeLook {
  return (kinds[kind] as Describe<NoticeKind>)(data as never, count)
}
