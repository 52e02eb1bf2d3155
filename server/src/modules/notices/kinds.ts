import type { NoticeContent, NoticeData, NoticeKind } from '@alcove/contract/notices'
import { formatStorage } from '../../platform/mail/write-letter.ts'

/** What a mail says about a notice. */
export interface MailPart {
  /** The subject and heading of a mail about this notice alone. */
  subject: string
  /** Complete sentences that also make sense among those about other notices. */
  text: string
}

/** What mails say about the server. */
interface MailSite {
  readonly siteName: string
  /** Whether it has larger plans to buy. */
  readonly canBuyMore: boolean
}

interface KindRules<Data> {
  /** Unread notices with the same key that arrive within an hour are one, which counts them. Without it, none are. */
  readonly bundleBy?: (data: Data) => string
  /** Without it, the module that gives the notice sends a mail of its own, if `isMailed` says so. */
  readonly mail?: (data: Data, count: number, site: MailSite) => MailPart
}

const rules: { readonly [Kind in NoticeKind]: KindRules<NoticeData<Kind>> } = {
  storage: {
    // The higher threshold replaces the lower one.
    bundleBy: () => '',
    mail: ({ percent, usedBytes, allocatedBytes }, _count, { siteName, canBuyMore }) => ({
      subject: percent === 100 ? `Your ${siteName} storage is full` : `Your ${siteName} storage is ${percent}% full`,
      text: `You have used ${formatStorage(usedBytes)} of ${formatStorage(allocatedBytes)}. ${
        percent === 100 ? 'You can’t upload files now.' : 'Once your storage is full, you can’t upload files.'
      } To free space, permanently delete something${canBuyMore ? ' or choose a larger plan' : ''}.`,
    }),
  },
  files_received: {
    bundleBy: ({ folderId, link }) => `${folderId} ${link}`,
    mail: ({ folder, link, visitor }, count) => ({
      subject: count === 1 ? 'You received a file' : `You received ${count.toLocaleString('en-US')} files`,
      text: `${count === 1 ? 'A file was' : `${count.toLocaleString('en-US')} files were`} sent to your folder “${folder}”${
        link === '' ? '' : ` through the link “${link}”`
      }${visitor === null ? '' : `, ${count === 1 ? '' : 'the last '}by ${visitor}`}.`,
    }),
  },
  malware_received: {
    mail: ({ filename }) => ({
      subject: 'The scanner found something in a file that you received',
      text: `A visitor of one of your links sent “${filename}”. The scanner of this server found something in it, so it is in your trash. Restore it only if you are sure that it is harmless.`,
    }),
  },
  share_offered: {},
  shared_storage_full: {
    bundleBy: ({ folderId }) => folderId,
    mail: ({ folder, owner }) => ({
      subject: `There is no space left for “${folder}”`,
      text: `The storage of ${owner}, who shares the folder “${folder}” with you, is full. You can’t add files to it until ${owner} has freed space.`,
    }),
  },
  ownership_offered: {
    // Offering it again while it is unread is no news.
    bundleBy: ({ folderId }) => folderId,
    mail: ({ folder, from, items, bytes }) => ({
      subject: `${from} wants to hand a folder over to you`,
      text: `${from} wants to make you the owner of the folder “${folder}”. If you accept, everything in it counts toward your storage: ${
        items === 1 ? '1 folder' : `${items.toLocaleString('en-US')} files and folders`
      }, ${formatStorage(bytes)}. You can answer on the page “Shared with me”.`,
    }),
  },
  ownership_answered: {
    mail: ({ folder, by, isAccepted }) => ({
      subject: isAccepted
        ? `${by} is the owner of “${folder}” now`
        : `${by} declined to become the owner of “${folder}”`,
      text: isAccepted
        ? `${by} is the owner of the folder “${folder}” now. It no longer counts toward your storage, and you are a manager of it.`
        : `${by} doesn’t want to become the owner of the folder “${folder}”. It stays yours.`,
    }),
  },
  share_ended: {
    mail: ({ folder, owner }, count) => ({
      subject: count === 1 ? `The shared folder “${folder}” is gone` : `${count} shared folders are gone`,
      text: `${owner} deleted their account. ${
        count === 1
          ? `The folder “${folder}”, which they shared with you, was deleted with it.`
          : `${count} folders that they shared with you were deleted with it, among them “${folder}”.`
      }`,
    }),
  },
  mass_deletion: {},
  new_sign_in: { bundleBy: ({ device }) => device },
  security_change: {},
}

type AnyRules = KindRules<NoticeData<NoticeKind>>

/** Returns the key of a notice among those of its kind, or undefined if it is never bundled. */
export function bundleKeyOf({ kind, data }: NoticeContent): string | undefined {
  return (rules[kind] as AnyRules).bundleBy?.(data)
}

/** Returns whether notices of a kind are mailed together, instead of by the module that gives them. */
export function isMailedTogether(kind: NoticeKind): boolean {
  return rules[kind].mail !== undefined
}

/** Returns what a mail says about notices, without those of a kind that has another mail. */
export function mailParts(notices: readonly (NoticeContent & { count: number })[], site: MailSite): MailPart[] {
  return notices.flatMap(({ kind, data, count }) => (rules[kind] as AnyRules).mail?.(data, count, site) ?? [])
}
