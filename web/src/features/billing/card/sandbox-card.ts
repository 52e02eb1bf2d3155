import { type CardFields, digitsOf, readExpiry } from './card-fields.ts'
import { CardRefused, type ConfirmCard } from './update-card.ts'

interface Sandbox {
  readonly sandboxUrl: string
  readonly publishableKey: string
}

/** Confirms a setup intent at the sandbox as Stripe's own script does at Stripe: the card goes there and nowhere else. */
export function confirmAtSandbox({ sandboxUrl, publishableKey }: Sandbox, card: CardFields): ConfirmCard {
  return async (clientSecret) => {
    const [intentId = ''] = clientSecret.split('_secret_')
    const address = `${sandboxUrl}/v1/setup_intents/${encodeURIComponent(intentId)}/confirm`
    const body = new URLSearchParams({ client_secret: clientSecret, key: publishableKey, ...describeCard(card) })
    const answer = await ask(address, body)
    if (typeof answer.payment_method === 'string') return answer.payment_method
    throw new CardRefused(answer.error?.message ?? '')
  }
}

function describeCard({ number, expiry, cvc }: CardFields): Record<string, string> {
  const { month, year } = readExpiry(expiry)
  return {
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': digitsOf(number),
    'payment_method_data[card][exp_month]': String(month),
    'payment_method_data[card][exp_year]': String(year),
    'payment_method_data[card][cvc]': digitsOf(cvc),
  }
}

interface SandboxResponse {
  readonly payment_method?: unknown
  readonly error?: { readonly message?: string }
}

async function ask(address: string, body: URLSearchParams): Promise<SandboxResponse> {
  try {
    const response = await fetch(address, { method: 'POST', body, credentials: 'omit' })
    return (await response.json()) as SandboxResponse
  } catch {
    throw new CardRefused() // out of reach, or no answer of its kind
  }
}
