import type { monitorForElements as MonitorForElements } from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter'
import type { DragLocationHistory } from '@atlaskit/pragmatic-drag-and-drop/types'
import { useEffect, useRef } from 'react'
import { plural } from '../../lib/format.ts'
import { FileTypeSquare } from '../../ui/FileTypeSquare.tsx'
import { FolderGlyph } from '../../ui/FolderGlyph.tsx'
import { ItemName } from '../../ui/ItemName.tsx'
import styles from './drag.module.css'
import { withDragTools } from './drag-and-drop.ts'
import { draggedItems, getDrag, isCopyKey, setDrag, targetName, useDrag } from './use-item-drag.ts'

/** Follows the pointer while items are dragged, on every screen, and scrolls the page near its edges. */
export function DragLayer() {
  const ghost = useRef<HTMLDivElement>(null)
  const drag = useDrag()

  useEffect(() => {
    let pointer = { clientX: 0, clientY: 0 }
    const place = (event: { clientX: number; clientY: number }) => {
      pointer = event
      if (ghost.current) ghost.current.style.translate = `${event.clientX + 14}px ${event.clientY + 10}px`
    }
    const say = ({ location: { current } }: { location: DragLocationHistory }) => {
      const now = getDrag()
      const next = { isCopy: isCopyKey(current.input), targetName: targetName(current.dropTargets[0]?.data) }
      if (now && (now.isCopy !== next.isCopy || now.targetName !== next.targetName)) setDrag({ ...now, ...next })
    }
    const holdsItems = ({ source }: { source: { data: Record<string | symbol, unknown> } }) =>
      draggedItems(source.data).length > 0
    const monitor: Parameters<typeof MonitorForElements>[0] = {
      canMonitor: holdsItems,
      onDragStart({ source, location }) {
        const items = draggedItems(source.data)
        setDrag({ items, ids: new Set(items.map(({ id }) => id)), isCopy: isCopyKey(location.current.input) })
        pointer = location.current.input
        window.addEventListener('dragover', place, true)
        requestAnimationFrame(() => place(pointer))
      },
      onDropTargetChange: say,
      onDrag: say,
      onDrop() {
        window.removeEventListener('dragover', place, true)
        setDrag(undefined)
      },
    }
    return withDragTools(({ monitorForElements, autoScrollWindowForElements }) => {
      const stopMonitor = monitorForElements(monitor)
      const stopScroll = autoScrollWindowForElements({ canScroll: holdsItems })
      return () => {
        stopMonitor()
        window.removeEventListener('dragover', place, true)
        stopScroll()
      }
    })
  }, [])

  const [first] = drag?.items ?? []
  if (!drag || !first) return null
  const count = drag.items.length
  return (
    <div ref={ghost} className={styles.ghost} aria-hidden data-many={count > 1 || undefined}>
      <div className={styles.card}>
        {first.type === 'folder' ? <FolderGlyph size={34} /> : <FileTypeSquare filename={first.name} />}
        <div className={styles.text}>
          <ItemName name={first.name} className={styles.name} />
          {count > 1 && <span className={styles.more}>and {count - 1} more</span>}
        </div>
        <span className={styles.badge}>{count}</span>
      </div>
      {drag.targetName !== undefined && (
        <span className={styles.sign}>
          {drag.isCopy ? 'Copy' : 'Move'} {count > 1 ? plural(count, 'item') : ''} to <bdi>{drag.targetName}</bdi>
        </span>
      )}
    </div>
  )
}
