import { TextInput, type TextInputProps } from '@mantine/core'
import { IconCreditCard } from '@tabler/icons-react'
import { type ChangeEvent, type SubmitEvent, useLayoutEffect, useRef, useState } from 'react'
import { TestPaymentsMark } from '../TestPaymentsMark.tsx'
import styles from './CardForm.module.css'
import { CardFormFoot } from './CardFormFoot.tsx'
import {
  type CardFields,
  confirmAtSandbox,
  digitsOf,
  emptyCard,
  findBrand,
  findCardProblems,
  formatCvc,
  formatExpiry,
  formatNumber,
} from './sandbox-card.ts'
import { useUpdateCard } from './use-update-card.ts'

interface SandboxCardFormProps {
  readonly sandboxUrl: string
  readonly publishableKey: string
}

type Field = keyof CardFields

/** The form for test cards. It sends them to the sandbox, as the form for real cards does to the provider. */
export function SandboxCardForm(sandbox: SandboxCardFormProps) {
  const [card, setCard] = useState(emptyCard)
  const [checked, setChecked] = useState<readonly Field[]>([])
  const form = useRef<HTMLFormElement>(null)
  const { update, isBusy, failure } = useUpdateCard(() => {
    setCard(emptyCard)
    setChecked([])
  })
  const problems = findCardProblems(card)

  const field = (name: Field) => ({
    value: card[name],
    onChange: (value: string) => setCard((current) => ({ ...current, [name]: value })),
    // Leaving an empty field is not an error yet.
    onBlur: () => card[name] !== '' && setChecked((names) => [...names, name]),
    error: checked.includes(name) && problems[name],
  })

  function submit(event: SubmitEvent) {
    event.preventDefault()
    setChecked(['number', 'expiry', 'cvc'])
    const [wrong] = Object.keys(problems)
    if (wrong) return form.current?.querySelector<HTMLInputElement>(`[name=${wrong}]`)?.focus()
    update(confirmAtSandbox(sandbox, card))
  }

  return (
    <form ref={form} onSubmit={submit} noValidate>
      <div className={styles.fields}>
        <FormattedInput
          label="Card number"
          name="number"
          autoComplete="cc-number"
          placeholder="1234 1234 1234 1234"
          format={formatNumber}
          rightSection={<CardBrand number={card.number} />}
          {...field('number')}
        />
        <FormattedInput
          label="Expiry"
          name="expiry"
          autoComplete="cc-exp"
          placeholder="MM / YY"
          format={formatExpiry}
          {...field('expiry')}
        />
        <FormattedInput
          label="CVC"
          name="cvc"
          autoComplete="cc-csc"
          placeholder="CVC"
          format={formatCvc}
          {...field('cvc')}
        />
      </div>
      <CardFormFoot isBusy={isBusy} failure={failure} />
      <div className={styles.mark}>
        <TestPaymentsMark />
      </div>
    </form>
  )
}

function CardBrand({ number }: { readonly number: string }) {
  const brand = findBrand(number)
  return brand ? <span className={styles.brand}>{brand}</span> : <IconCreditCard size={18} stroke={1.75} aria-hidden />
}

interface FormattedInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  readonly value: string
  readonly format: (text: string) => string
  readonly onChange: (value: string) => void
}

/** A field that formats digits while typing, and keeps the caret behind the same digit. */
function FormattedInput({ value, format, onChange, ...others }: FormattedInputProps) {
  const input = useRef<HTMLInputElement>(null)
  const digitsBefore = useRef<number>(undefined)

  function change({ currentTarget }: ChangeEvent<HTMLInputElement>) {
    const caret = currentTarget.selectionStart ?? currentTarget.value.length
    const formatted = format(currentTarget.value)
    // A caret at the end stays at the end, also behind characters that the format adds.
    digitsBefore.current =
      caret === currentTarget.value.length ? undefined : digitsOf(currentTarget.value.slice(0, caret)).length
    onChange(formatted)
  }

  useLayoutEffect(() => {
    if (digitsBefore.current === undefined || document.activeElement !== input.current) return
    const caret = positionAfterDigits(value, digitsBefore.current)
    digitsBefore.current = undefined
    input.current?.setSelectionRange(caret, caret)
  }, [value])

  return <TextInput {...others} ref={input} inputMode="numeric" spellCheck={false} value={value} onChange={change} />
}

function positionAfterDigits(text: string, count: number): number {
  let position = 0
  for (let seen = 0; position < text.length && seen < count; position += 1)
    if (/\d/.test(text[position] ?? '')) seen += 1
  return position
}
