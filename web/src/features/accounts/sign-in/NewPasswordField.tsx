import { passwordRules } from '@alcove/contract/fields'
import { PasswordInput } from '@mantine/core'
import { useState } from 'react'
import styles from './NewPasswordField.module.css'
import { RuleLine } from './RuleLine.tsx'

interface NewPasswordFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (password: string) => void
}

// A description is a paragraph unless told otherwise, and a paragraph may not hold a list.
const rulesBox = { component: 'div', className: styles.rulesBox }

/** A password to be chosen, with the live list of its rules, which are judged once the field has been focused. */
export function NewPasswordField({ label, value, onChange }: NewPasswordFieldProps) {
  const [isJudged, setIsJudged] = useState(false)
  return (
    <PasswordInput
      label={label}
      autoComplete="new-password"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onFocus={() => setIsJudged(true)}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      descriptionProps={rulesBox}
      description={
        <ul className={styles.rules} aria-live="polite">
          {passwordRules.map((rule) => {
            const isMet = isJudged ? rule.isMet(value) : undefined
            const spoken = isMet === undefined ? undefined : isMet ? 'Met' : 'Not met'
            return (
              <li key={rule.message}>
                <RuleLine text={rule.message} isMet={isMet} spoken={spoken} />
              </li>
            )
          })}
        </ul>
      }
    />
  )
}
