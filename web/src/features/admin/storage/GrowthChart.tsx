import { formatDay, formatStorage } from '../../../lib/format.ts'
import styles from './GrowthChart.module.css'

interface GrowthChartProps {
  readonly samples: readonly { readonly day: string; readonly usedBytes: number }[]
}

/** How much was stored on each of the last days. The facts beside it say the same in words. */
export function GrowthChart({ samples }: GrowthChartProps) {
  if (samples.length < 2) return null
  const largest = Math.max(1, ...samples.map(({ usedBytes }) => usedBytes))
  return (
    <div className={styles.chart} aria-hidden>
      {samples.map(({ day, usedBytes }) => (
        <div
          key={day}
          className={styles.bar}
          style={{ height: `${Math.max(2, (usedBytes / largest) * 100)}%` }}
          title={`${formatDay(day)}: ${formatStorage(usedBytes)}`}
        />
      ))}
    </div>
  )
}
