import type { MediaFile } from '@alcove/contract/media'
import { VisuallyHidden } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import { Thumbnail } from '../../../items/tiles/Thumbnail.tsx'
import { formatClock, formatCount } from '../../../lib/format.ts'
import { ItemName } from '../../../ui/ItemName.tsx'
import { VirtualList, VirtualRow } from '../../../ui/VirtualList.tsx'
import { fileOf } from '../media-file.ts'
import styles from './VideoList.module.css'

const ROW_HEIGHT = 78

interface VideoListProps {
  readonly videos: readonly MediaFile[]
  /** The index of the video that is shown. */
  readonly index: number
  readonly onChoose: (index: number) => void
}

/** All videos, with a frame of each if the server has one. */
export function VideoList({ videos, index, onChoose }: VideoListProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: videos.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 4,
  })
  useEffect(() => virtualizer.scrollToIndex(index, { align: 'auto' }), [virtualizer, index])

  return (
    <section className={styles.section} aria-labelledby="all-videos">
      <div className={styles.head}>
        <h2 className={styles.title} id="all-videos">
          All videos
        </h2>
        <span className={styles.count}>{formatCount(videos.length)}</span>
      </div>
      <div ref={scroller} className={styles.scroller}>
        <VirtualList isOrdered height={virtualizer.getTotalSize()} aria-labelledby="all-videos">
          {virtualizer.getVirtualItems().map(({ index: place, start }) => {
            const video = videos[place]
            return (
              video && (
                <VirtualRow key={video.id} aria-setsize={videos.length} aria-posinset={place + 1} top={start}>
                  <button
                    type="button"
                    className={styles.video}
                    aria-current={place === index || undefined}
                    onClick={() => onChoose(place)}
                  >
                    <span className={styles.frame} aria-hidden>
                      <Thumbnail file={fileOf(video)} />
                      {video.duration !== undefined && (
                        <span className={styles.length}>{formatClock(video.duration)}</span>
                      )}
                    </span>
                    {/* The whole name for screen readers, because the visible one is split in two. */}
                    <VisuallyHidden>{video.filename}</VisuallyHidden>
                    <span className={styles.name} aria-hidden>
                      <ItemName name={video.filename} />
                    </span>
                  </button>
                </VirtualRow>
              )
            )
          })}
        </VirtualList>
      </div>
    </section>
  )
}
