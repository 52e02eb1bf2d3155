import type { ListedUser } from '@alcove/contract/admin-users'
import { Loader } from '@mantine/core'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useWindowRows } from '../../../items/grid/use-window-rows.ts'
import { lazyModule } from '../../../lib/lazy-module.ts'
import { openLater } from '../../../ui/dialogs/dialogs.tsx'
import { LoadError } from '../../../ui/LoadError.tsx'
import { VirtualList, VirtualRow } from '../../../ui/VirtualList.tsx'
import { UserRow } from './UserRow.tsx'
import styles from './Users.module.css'

const ROW_HEIGHT = 61
/** The next page is loaded when fewer rows than this are left below those in view. */
const ROWS_AHEAD = 200

const details = lazyModule(() => import('./UserDetailsModal.tsx'))

interface UserListProps {
  readonly users: readonly ListedUser[]
  readonly total: number
  /** Loads further users. */
  readonly query: {
    readonly hasNextPage: boolean
    readonly isFetching: boolean
    readonly isFetchNextPageError: boolean
    readonly fetchNextPage: () => unknown
  }
}

/** The users, of whom only those in view are in the document. The arrow keys, Home and End move between them. */
export function UserList({ users, total, query }: UserListProps) {
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = query
  const list = useRef<HTMLUListElement>(null)
  const [focused, setFocused] = useState<string>()
  const focusedIndex = users.findIndex(({ id }) => id === focused)
  const { rows, height, top, measure, scrollTo } = useWindowRows(list, users, {
    rowHeight: ROW_HEIGHT,
    keptIndex: focusedIndex,
  })
  const lastShown = rows.at(-1)?.index ?? 0
  const needsMore = hasNextPage && !isFetching && !isFetchNextPageError && lastShown + ROWS_AHEAD >= users.length
  useEffect(() => {
    if (needsMore) void fetchNextPage()
  }, [needsMore, fetchNextPage])

  function moveFocus(event: KeyboardEvent) {
    const last = users.length - 1
    const targets: Record<string, number> = {
      ArrowDown: Math.min(last, focusedIndex + 1),
      ArrowUp: Math.max(0, focusedIndex - 1),
      Home: 0,
      End: last,
    }
    const index = targets[event.key]
    const user = index === undefined ? undefined : users[index]
    if (index === undefined || !user || event.ctrlKey || event.altKey || event.metaKey) return
    event.preventDefault()
    setFocused(user.id) // keeps its row in the document
    scrollTo(index)
    requestAnimationFrame(() => {
      list.current?.querySelector<HTMLElement>(`[data-index="${index}"] button`)?.focus({ preventScroll: true })
    })
  }

  return (
    <>
      <VirtualList ref={list} height={height} aria-label="Users" onKeyDown={moveFocus}>
        {rows.map(({ key, index, start }) => {
          const user = users[index]
          return (
            user && (
              <VirtualRow
                key={key}
                ref={measure}
                data-index={index}
                aria-setsize={total}
                aria-posinset={index + 1}
                top={start - top}
                onFocus={() => setFocused(user.id)}
              >
                <UserRow
                  user={user}
                  onOpen={() => void openLater(details, ({ openUserDetails }) => openUserDetails(user))}
                />
              </VirtualRow>
            )
          )
        })}
      </VirtualList>
      {hasNextPage && (
        <div className={styles.more}>
          {isFetchNextPageError ? (
            <LoadError text="Couldn’t load more users." isBusy={isFetching} onRetry={() => void fetchNextPage()} />
          ) : (
            <Loader size={20} role="status" aria-label="Loading more users" />
          )}
        </div>
      )}
    </>
  )
}
