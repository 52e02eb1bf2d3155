import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Card } from '../../../ui/Card.tsx'
import { LoadError } from '../../../ui/LoadError.tsx'
import { type PaymentSettings, usePaymentSettings } from '../queries.ts'
import { SandboxCardForm } from './SandboxCardForm.tsx'

/** Takes a new card for a paid plan. */
export function UpdateCardForm() {
  const { data, isFetching, isPending, refetch } = usePaymentSettings()
  return (
    <Card title="Update Card">
      {data && <CardForm settings={data} />}
      {!data && (isPending ? <FormSkeleton /> : <FormMissing isBusy={isFetching} onRetry={() => void refetch()} />)}
    </Card>
  )
}

function CardForm({ settings: { mode, publishableKey, sandboxUrl } }: { readonly settings: PaymentSettings }) {
  if (mode === 'live' && publishableKey) return <LiveCardForm publishableKey={publishableKey} />
  if (mode === 'sandbox' && publishableKey && sandboxUrl)
    return <SandboxCardForm sandboxUrl={sandboxUrl} publishableKey={publishableKey} />
  return <p>Payments are not configured on this server, so there is no card to update.</p>
}

/** Loads the code of the provider's fields only if payments are live. */
function LiveCardForm({ publishableKey }: { readonly publishableKey: string }) {
  const { data, isFetching, isPending, refetch } = useQuery({
    queryKey: ['stripe-card-form'],
    queryFn: () => import('./StripeCardForm.tsx'),
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  })
  if (data) return <data.StripeCardForm publishableKey={publishableKey} />
  return isPending ? <FormSkeleton /> : <FormMissing isBusy={isFetching} onRetry={() => void refetch()} />
}

interface FormMissingProps {
  readonly isBusy: boolean
  readonly onRetry: () => void
}

function FormMissing(retry: FormMissingProps) {
  return <LoadError text="Couldn’t load the card form." {...retry} />
}

function FormSkeleton() {
  return (
    <div role="status" aria-label="Loading the card form">
      <Skeleton height={68} />
      <Skeleton height={68} mt={14} />
      <Skeleton height={40} width={116} mt={16} />
    </div>
  )
}
