import { Card } from '../../../ui/Card.tsx'
import { changePlayerQueue } from '../player/player.ts'
import { usePlayer } from '../player/player-state.ts'
import { OrderedTracks } from './OrderedTracks.tsx'
import styles from './QueueCard.module.css'

/** What is played next, to be put in order. */
export function QueueCard() {
  const { queue, library, status } = usePlayer()
  const count = queue.tracks.length
  return (
    <Card title="Queue">
      {count === 0 && <p className={styles.empty}>No tracks in queue.</p>}
      <OrderedTracks
        label="Queue"
        count={count}
        trackAt={(position) => library[queue.tracks[position] ?? -1]}
        current={queue.position}
        isHeard={status === 'playing'}
        onPlay={(position) => changePlayerQueue({ type: 'jump', position })}
        onMove={(from, to) => changePlayerQueue({ type: 'move', from, to })}
        onRemove={(position) => changePlayerQueue({ type: 'remove', position })}
      />
    </Card>
  )
}
