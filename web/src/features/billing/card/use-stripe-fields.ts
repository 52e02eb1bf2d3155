import { useComputedColorScheme } from '@mantine/core'
import type { Stripe, StripeCardElementOptions, StripeElements } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import { useEffect, useRef, useState } from 'react'
import { CardRefused, type ConfirmCard } from './update-card.ts'

const fields = ['cardNumber', 'cardExpiry', 'cardCvc'] as const
export type StripeFieldName = (typeof fields)[number]

/** Where the three fields go. */
export type StripePlaces = Readonly<Record<StripeFieldName, HTMLElement | null>>

type Style = StripeCardElementOptions['style']

/** Stripe's fields are pages of its own within ours, and get our colors by name. */
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

/** Stripe's own card fields, fetched from Stripe and put into the places; `problems` are what it says of each. */
export function useStripeFields(publishableKey: string) {
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt is what it runs again for
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: the colors are other ones in another scheme
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
