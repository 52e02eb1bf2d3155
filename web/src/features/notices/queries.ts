import type { InputOf, OutputOf } from '@alcove/contract/call'
import { listNotices, type Notice, readNotices } from '@alcove/contract/notices'
import { type InfiniteData, type QueryClient, useInfiniteQuery } from '@tanstack/react-query'
import { send } from '../../api/api.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { noteUnreadNotices } from '../../api/unread-notices.ts'
import { notifyError } from '../../ui/toasts/notify.tsx'

type NoticePages = InfiniteData<OutputOf<typeof listNotices>>

/** Returns the notices, page by page, and updates the number at the bell with each response. */
export function useNotices() {
  return useInfiniteQuery({
    queryKey: queryKeys.notices,
    queryFn: async ({ pageParam, signal }) => {
      const page = await send(listNotices, { cursor: pageParam }, { signal })
      noteUnreadNotices(page.unread)
      return page
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    select: ({ pages }) => pages.flatMap((page) => page.notices),
    // What is shown was fetched a while ago: the panel is open for seconds only.
    staleTime: 0,
  })
}

/** Marks notices as read: in the list at once, and as they were if the server can't be reached. */
export async function markAsRead(
  queryClient: QueryClient,
  input: InputOf<typeof readNotices>,
  isMeant: (notice: Notice) => boolean,
): Promise<void> {
  const { notices: queryKey } = queryKeys
  await queryClient.cancelQueries({ queryKey })
  queryClient.setQueryData<NoticePages>(
    queryKey,
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => ({
          ...page,
          notices: page.notices.map((notice) => (isMeant(notice) ? { ...notice, isRead: true } : notice)),
        })),
      },
  )
  try {
    // Also while the page is left for the address of the notice.
    const { unread } = await send(readNotices, input, { isLast: true })
    noteUnreadNotices(unread)
  } catch {
    notifyError('Couldn’t mark the notices as read. Try again.')
  }
  await queryClient.invalidateQueries({ queryKey })
}
