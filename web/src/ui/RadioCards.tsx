import { useId } from 'react'
import styles from './RadioCards.module.css'

export interface Choice<Value extends string> {
  readonly value: Value
  readonly name: string
  /** One sentence that explains the choice. */
  readonly text: string
}

interface RadioCardsProps<Value extends string> {
  readonly legend: string
  readonly choices: readonly Choice<Value>[]
  readonly value: Value
  readonly onChange: (value: Value) => void
}

/** A group of radio buttons, each with an explanation. */
export function RadioCards<Value extends string>({ legend, choices, value, onChange }: RadioCardsProps<Value>) {
  const id = useId()
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{legend}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className={styles.card}>
          <input
            className={styles.radio}
            type="radio"
            name={id}
            checked={choice.value === value}
            aria-labelledby={`${id}-${choice.value}`}
            aria-describedby={`${id}-${choice.value}-text`}
            onChange={() => onChange(choice.value)}
          />
          <span>
            <span className={styles.name} id={`${id}-${choice.value}`}>
              {choice.name}
            </span>
            <span className={styles.text} id={`${id}-${choice.value}-text`}>
              {choice.text}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
