import { passwordRules } from '@alcove/contract/credentials'
import { PasswordInput, VisuallyHidden } from '@mantine/core'
import { IconCircle, IconCircleCheckFilled, IconCircleXFilled } from '@tabler/icons-react'
import { useState } from 'react'
import styles from './NewPasswordFields.module.css'

interface NewPasswordFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (password: string) => void
}

// By default a description is a paragraph, which can't contain a list.
const rulesBox = { component: 'div', className: styles.rulesBox }

/** A field for a new password, with the list of rules, which shows the ones that are met once the field was focused. */
export function NewPasswordField({ label, value, onChange }: NewPasswordFieldProps) {
  const [isChecked, setChecked] = useState(false)
  return (
    <PasswordInput
      label={label}
      autoComplete="new-password"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onFocus={() => setChecked(true)}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      descriptionProps={rulesBox}
      description={
        <ul className={styles.rules} aria-live="polite">
          {passwordRules.map((rule) => {
            const isMet = isChecked ? rule.isMet(value) : undefined
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

interface ConfirmPasswordFieldProps {
  readonly password: string
  readonly value: string
  readonly onChange: (confirmation: string) => void
}

/** A field that repeats the new password, and says whether both match. */
export function ConfirmPasswordField({ password, value, onChange }: ConfirmPasswordFieldProps) {
  const isMatch = value === password
  return (
    <PasswordInput
      label="Confirm Password"
      autoComplete="new-password"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      description={
        <span aria-live="polite">
          {value !== '' && <RuleLine text={isMatch ? 'Passwords match' : 'Passwords do not match'} isMet={isMatch} />}
        </span>
      }
    />
  )
}

interface RuleLineProps {
  readonly text: string
  /** Undefined until the rule is checked. */
  readonly isMet?: boolean
  /** What screen readers announce for `isMet`, if the text doesn't say it. */
  readonly spoken?: string
}

/** A rule with an icon: color alone would not be accessible. */
function RuleLine({ text, isMet, spoken }: RuleLineProps) {
  const Icon = isMet === undefined ? IconCircle : isMet ? IconCircleCheckFilled : IconCircleXFilled
  return (
    <span className={styles.rule} data-state={isMet === undefined ? 'open' : isMet ? 'met' : 'unmet'}>
      <Icon size={15} aria-hidden />
      <span>
        {text}
        {spoken && <VisuallyHidden component="span"> {spoken}</VisuallyHidden>}
      </span>
    </span>
  )
}
