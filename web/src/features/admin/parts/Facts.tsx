import styles from './Facts.module.css'

interface FactsProps {
  /** Names with their values. `false` is left out. */
  readonly facts: readonly (readonly [name: string, value: string] | false)[]
}

/** A list of names and values. */
export function Facts({ facts }: FactsProps) {
  return (
    <dl className={styles.facts}>
      {facts
        .filter((fact) => fact !== false)
        .map(([name, value]) => (
          <div key={name} className={styles.fact}>
            <dt className={styles.name}>{name}</dt>
            <dd className={styles.value}>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
    </dl>
  )
}
