import { Input, useComputedColorScheme } from '@mantine/core'
import type { Stripe, StripeCardElementOptions, StripeElements } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import { type SubmitEvent, useEffect, useId, useRef, useState } from 'react'
import { LoadError } from '../../../ui/LoadError.tsx'
import styles from './CardForm.module.css'
import { CardFormFoot } from './CardFormFoot.tsx'
import { CardRefused, type ConfirmCard, useUpdateCard } from './use-update-card.ts'

interface StripeCardFormProps {
  readonly publishableKey: string
}

/** The form for real cards, made of Stripe Elements: what is typed into them never reaches this page. */
export function StripeCardForm({ publishableKey }: StripeCardFormProps) {
  const { places, state, problems, confirm, clear, retry } = useStripeFields(publishableKey)
  const { update, isBusy, failure } = useUpdateCard(clear)

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (state === 'ready') update(confirm)
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
    <form onSubmit={submit} noValidate>
      {state === 'failed' && (
        <div className={styles.unreachable}>
          <LoadError text="Couldn’t load the card provider’s form." isBusy={false} onRetry={retry} />
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

/** The container of one field. The label is visual only: Stripe labels the field for screen readers. */
function StripeField({ label, problem, onPlace }: StripeFieldProps) {
  const id = useId()
  return (
    <Input.Wrapper label={label} error={problem} labelElement="div" id={id}>
      <div className={styles.frame} ref={onPlace} />
    </Input.Wrapper>
  )
}

const fields = ['cardNumber', 'cardExpiry', 'cardCvc'] as const
type StripeFieldName = (typeof fields)[number]

/** The containers of the three fields. */
type StripePlaces = Readonly<Record<StripeFieldName, HTMLElement | null>>

type Style = StripeCardElementOptions['style']

/** Returns the colors of the theme for Stripe's fields, which are iframes and don't inherit styles. */
function readStyle(): Style {
  const styles = getComputedStyle(document.documentElement)
  const role = (name: string) => styles.getPropertyValue(`--alcove-${name}`).trim()
  return {
    base: {
      color: role('text'),
      fontFamily: 'system-ui, sans-serif',
      fontSize: '15px',
      '::placeholder': { color: role('text-3') },
    },
    invalid: { color: role('danger') },
  }
}

/** Loads Stripe's card fields and mounts them in `places`. `problems` has Stripe's message for each field. */
function useStripeFields(publishableKey: string) {
  const places = useRef<Record<StripeFieldName, HTMLElement | null>>({
    cardNumber: null,
    cardExpiry: null,
    cardCvc: null,
  })
  const loaded = useRef<{ readonly stripe: Stripe; readonly elements: StripeElements }>(undefined)
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading')
  const [problems, setProblems] = useState<Partial<Record<StripeFieldName, string>>>({})
  const [attempt, setAttempt] = useState(0)
  const scheme = useComputedColorScheme('light')

  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry runs it again
  useEffect(() => {
    let isOver = false
    setState('loading')
    loadStripe(publishableKey).then(
      (stripe) => {
        if (isOver || !stripe) return
        const elements = stripe.elements()
        loaded.current = { stripe, elements }
        mountFields(elements, places.current, (name, problem) => setProblems((all) => ({ ...all, [name]: problem })))
        setState('ready')
      },
      () => !isOver && setState('failed'),
    )
    return () => {
      isOver = true
      for (const name of fields) loaded.current?.elements.getElement(name as 'cardNumber')?.destroy()
      loaded.current = undefined
    }
  }, [publishableKey, attempt])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the colors depend on the scheme
  useEffect(() => {
    for (const name of fields) loaded.current?.elements.getElement(name as 'cardNumber')?.update({ style: readStyle() })
  }, [scheme])

  const confirm: ConfirmCard = async (clientSecret) => {
    const card = loaded.current?.elements.getElement('cardNumber')
    if (!loaded.current || !card) throw new CardRefused()
    const { setupIntent, error } = await loaded.current.stripe.confirmCardSetup(clientSecret, {
      payment_method: { card },
    })
    const method = setupIntent?.payment_method
    if (error || !method) throw new CardRefused(error?.message)
    return typeof method === 'string' ? method : method.id
  }

  function clear() {
    for (const name of fields) loaded.current?.elements.getElement(name as 'cardNumber')?.clear()
  }

  return { places, state, problems, confirm, clear, retry: () => setAttempt((count) => count + 1) }
}

function mountFields(
  elements: StripeElements,
  places: StripePlaces,
  onProblem: (name: StripeFieldName, problem: string | undefined) => void,
): void {
  for (const name of fields) {
    const place = places[name]
    if (!place) continue
    const element = elements.create(name as 'cardNumber', { style: readStyle() })
    element.on('change', ({ error }) => onProblem(name, error?.message))
    element.mount(place)
  }
}
