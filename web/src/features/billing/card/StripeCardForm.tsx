import { Input } from '@mantine/core'
import { type SubmitEvent, useId } from 'react'
import { LoadError } from '../../../ui/LoadError.tsx'
import styles from '../CardForm.module.css'
import { CardFormFoot } from './CardFormFoot.tsx'
import { type StripeFieldName, useStripeFields } from './use-stripe-fields.ts'
import { useUpdateCard } from './use-update-card.ts'

interface StripeCardFormProps {
  readonly publishableKey: string
}

/** The card fields of Stripe Elements: what is typed into them never reaches our page. */
export function StripeCardForm({ publishableKey }: StripeCardFormProps) {
  const { places, state, problems, confirm, clear, retry } = useStripeFields(publishableKey)
  const { update, isBusy, failure } = useUpdateCard()

  async function submit(event: SubmitEvent) {
    event.preventDefault()
    if (state === 'ready' && (await update(confirm))) clear()
  }

  const field = (name: StripeFieldName, label: string) => (
    <StripeField
      label={label}
      problem={problems[name]}
      onPlace={(place) => {
        places.current[name] = place
      }}
    />
  )

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      {state === 'failed' && (
        <div className={styles.unreachable}>
          <LoadError text="The card provider's form could not be loaded." isBusy={false} onRetry={retry} />
        </div>
      )}
      <div className={styles.fields} hidden={state === 'failed'}>
        {field('cardNumber', 'Card number')}
        {field('cardExpiry', 'Expiry')}
        {field('cardCvc', 'CVC')}
      </div>
      <CardFormFoot isBusy={isBusy} isReady={state === 'ready'} failure={failure} />
    </form>
  )
}

interface StripeFieldProps {
  readonly label: string
  readonly problem: string | undefined
  readonly onPlace: (place: HTMLElement | null) => void
}

/** A place for one field. Stripe names its field for readers itself; the label here is for the eye. */
function StripeField({ label, problem, onPlace }: StripeFieldProps) {
  const id = useId()
  return (
    <Input.Wrapper label={label} error={problem} labelElement="div" id={id}>
      <div className={styles.frame} ref={onPlace} />
    </Input.Wrapper>
  )
}
