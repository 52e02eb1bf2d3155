import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import type { PreviewItem } from './preview-item.ts'
import { previewKindOf } from './preview-kind.ts'

/** The address follows only when a walk rests: browsers allow few changes of it in a short time. */
const REST = 300

/** The walk through the items that can be shown, in their order; the one that it began with belongs to it, whatever it is. */
export function useWalk(items: readonly PreviewItem[], startId: string, onShow: (id: string) => void) {
  const [currentId, setCurrentId] = useState(startId)
  const [beginning] = useState(startId)
  const walk = useMemo(
    () => items.filter(({ id, name }) => previewKindOf(name) !== undefined || id === beginning),
    [items, beginning],
  )
  const found = useMemo(() => walk.findIndex(({ id }) => id === currentId), [walk, currentId])
  // When an item is deleted, the one that takes its place is shown.
  const lastIndex = useRef(0)
  const index = found >= 0 ? found : Math.min(lastIndex.current, walk.length - 1)
  const wasThere = useWasThere(found >= 0)
  const current = wasThere ? walk[index] : undefined
  const id = current?.id

  useEffect(() => {
    lastIndex.current = index
    if (id !== undefined) setCurrentId(id)
  }, [index, id])

  // The address may be changed by the browser too. What comes back of our own telling is no step: the walk may have gone on.
  const told = useRef<string>(undefined)
  useEffect(() => {
    if (startId === told.current) told.current = undefined
    else setCurrentId(startId)
  }, [startId])

  const tell = useEffectEvent((shownId: string) => {
    if (shownId === startId) return
    told.current = shownId
    onShow(shownId)
  })
  useEffect(() => {
    if (id === undefined) return
    const timer = setTimeout(() => tell(id), REST)
    return () => clearTimeout(timer)
  }, [id])

  function goTo(item: PreviewItem | undefined) {
    if (item) setCurrentId(item.id)
  }

  return {
    walk,
    index,
    current,
    goTo,
    goBy: (by: 1 | -1) => setCurrentId((now) => walk[walk.findIndex((item) => item.id === now) + by]?.id ?? now),
  }
}

/** Whether something has ever been so. */
function useWasThere(isThere: boolean): boolean {
  const [wasThere, setWasThere] = useState(isThere)
  if (isThere && !wasThere) setWasThere(true)
  return isThere || wasThere
}
