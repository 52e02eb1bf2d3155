import type { Notice } from '@alcove/contract/notices'
import { Button, Skeleton, VisuallyHidden } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { useUnreadNotices } from '../../api/unread-notices.ts'
import { formatMoment } from '../../lib/format.ts'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { TitledSheet } from '../../ui/dialogs/TitledSheet.tsx'
import { LoadError } from '../../ui/LoadError.tsx'
import { describeNotice } from './describe-notice.tsx'
import styles from './NoticePanel.module.css'
import { markAsRead, useNotices } from './queries.ts'

interface NoticePanelProps {
  readonly onClose: () => void
}

/** The panel below the bell. */
export function NoticePanel({ onClose }: NoticePanelProps) {
  return (
    <>
      <div className={styles.head}>
        <h2 className={styles.title} tabIndex={-1} data-autofocus>
          Notices
        </h2>
        <ReadAllButton />
      </div>
      <NoticeList onClose={onClose} />
    </>
  )
}

/** The same as a sheet, on phones. */
export function NoticeSheet({ isOpen, onClose }: NoticePanelProps & { readonly isOpen: boolean }) {
  return (
    <TitledSheet
      opened={isOpen}
      onClose={onClose}
      title="Notices"
      titleClass={styles.title}
      bodyClass={styles.sheetBody}
    >
      <ReadAllButton />
      <NoticeList onClose={onClose} />
    </TitledSheet>
  )
}

/** Marks the newest notice of the list and all older ones as read. It stays when there is none, because it may have the focus. */
function ReadAllButton() {
  const queryClient = useQueryClient()
  const unread = useUnreadNotices()
  const { data: notices, refetch } = useNotices()

  async function readAll() {
    // The button works from the start, so a click may come before the list.
    const list = notices ?? (await refetch({ cancelRefetch: false })).data
    const newest = list?.[0]
    if (newest) await markAsRead(queryClient, { upToId: newest.id }, () => true)
  }

  return (
    <>
      <Button
        className={styles.readAll}
        variant="subtle"
        size="xs"
        aria-disabled={unread === 0}
        onClick={() => {
          if (unread > 0) void readAll()
        }}
      >
        Mark all as read
      </Button>
      <VisuallyHidden role="status">{notices?.[0] && unread === 0 ? 'All notices are read.' : ''}</VisuallyHidden>
    </>
  )
}

function NoticeList({ onClose }: NoticePanelProps) {
  const { data: notices, isError, isFetching, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useNotices()
  const list = useRef<HTMLUListElement>(null)
  /** How many notices there were when more were requested. */
  const shown = useRef<number>(undefined)
  useRefetchWhenNew(refetch)

  // The button may be gone now, so the focus moves to the first of the notices that were loaded.
  const count = notices?.length ?? 0
  useEffect(() => {
    if (shown.current === undefined || count <= shown.current) return
    list.current?.querySelectorAll('a')[shown.current]?.focus()
    shown.current = undefined
  }, [count])

  function loadMore() {
    shown.current = count
    void fetchNextPage()
  }

  if (!notices && isError) {
    return (
      <div className={styles.state}>
        <LoadError text="Couldn’t load your notices." isBusy={isFetching} onRetry={() => void refetch()} />
      </div>
    )
  }
  if (!notices) {
    return (
      <div className={styles.state}>
        <VisuallyHidden role="status">Loading...</VisuallyHidden>
        <Skeleton height={52} />
        <Skeleton height={52} />
      </div>
    )
  }
  if (notices.length === 0) return <p className={styles.empty}>Nothing new</p>
  return (
    <div className={styles.scroller}>
      <ul className={styles.list} ref={list}>
        {notices.map((notice) => (
          <NoticeRow key={notice.id} notice={notice} onClose={onClose} />
        ))}
      </ul>
      {hasNextPage && (
        <BusyButton className={styles.more} variant="default" size="xs" loading={isFetchingNextPage} onClick={loadMore}>
          Load more
        </BusyButton>
      )}
      {isError && !isFetching && (
        <LoadError text="Couldn’t load more notices." isBusy={isFetching} onRetry={() => void refetch()} />
      )}
    </div>
  )
}

/** Fetches the notices again when the number of unread ones has changed elsewhere while the panel is open. */
function useRefetchWhenNew(refetch: () => Promise<unknown>): void {
  const unread = useUnreadNotices()
  const known = useRef(unread)
  useEffect(() => {
    if (unread > known.current) void refetch()
    known.current = unread
  }, [unread, refetch])
}

function NoticeRow({ notice, onClose }: { readonly notice: Notice; readonly onClose: () => void }) {
  const queryClient = useQueryClient()
  const { id, isRead, updatedAt } = notice
  const { Icon, sentence, to } = describeNotice(notice)

  function choose() {
    if (!isRead) void markAsRead(queryClient, { noticeIds: [id] }, (one) => one.id === id)
    onClose()
  }

  return (
    <li className={styles.row}>
      <Link className={styles.link} to={to} data-unread={!isRead || undefined} onClick={choose}>
        <span className={styles.plate} aria-hidden>
          <Icon size={18} stroke={1.75} />
        </span>
        <span className={styles.what}>
          {!isRead && <VisuallyHidden>Unread: </VisuallyHidden>}
          <span className={styles.sentence}>{sentence}</span>{' '}
          <time className={styles.time} dateTime={updatedAt}>
            {formatMoment(updatedAt)}
          </time>
        </span>
        {!isRead && <span className={styles.dot} aria-hidden />}
      </Link>
    </li>
  )
}
