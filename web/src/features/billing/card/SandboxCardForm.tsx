import { IconCreditCard } from '@tabler/icons-react'
import { type SubmitEvent, useRef, useState } from 'react'
import styles from '../CardForm.module.css'
import { TestPaymentsMark } from '../TestPaymentsMark.tsx'
import { CardFormFoot } from './CardFormFoot.tsx'
import {
  type CardFields,
  emptyCard,
  findBrand,
  findCardProblems,
  formatCvc,
  formatExpiry,
  formatNumber,
} from './card-fields.ts'
import { FormattedInput } from './FormattedInput.tsx'
import { confirmAtSandbox } from './sandbox-card.ts'
import { useUpdateCard } from './use-update-card.ts'

interface SandboxCardFormProps {
  readonly sandboxUrl: string
  readonly publishableKey: string
}

type Field = keyof CardFields

/** Card fields of our own, for test cards alone; they go to the sandbox as real ones go to the provider. */
export function SandboxCardForm(sandbox: SandboxCardFormProps) {
  const [card, setCard] = useState(emptyCard)
  const [judged, setJudged] = useState<readonly Field[]>([])
  const form = useRef<HTMLFormElement>(null)
  const { update, isBusy, failure } = useUpdateCard()
  const problems = findCardProblems(card)

  const field = (name: Field) => ({
    value: card[name],
    onChange: (value: string) => setCard((current) => ({ ...current, [name]: value })),
    // An empty field that is only passed through is not wrong yet.
    onBlur: () => card[name] !== '' && setJudged((names) => [...names, name]),
    error: judged.includes(name) && problems[name],
  })

  async function submit(event: SubmitEvent) {
    event.preventDefault()
    setJudged(['number', 'expiry', 'cvc'])
    const [wrong] = Object.keys(problems)
    if (wrong) return form.current?.querySelector<HTMLInputElement>(`[name=${wrong}]`)?.focus()
    if (!(await update(confirmAtSandbox(sandbox, card)))) return
    setCard(emptyCard)
    setJudged([])
  }

  return (
    <form ref={form} onSubmit={(event) => void submit(event)} noValidate>
      <div className={styles.fields}>
        <FormattedInput
          label="Card number"
          name="number"
          autoComplete="cc-number"
          placeholder="1234 1234 1234 1234"
          format={formatNumber}
          rightSection={<CardSign number={card.number} />}
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

function CardSign({ number }: { readonly number: string }) {
  const brand = findBrand(number)
  return brand ? <span className={styles.brand}>{brand}</span> : <IconCreditCard size={18} stroke={1.75} aria-hidden />
}
