import { Skeleton, VisuallyHidden } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { LoadError } from '../../ui/LoadError.tsx'

interface CheckingLinkProps {
  readonly query: Pick<UseQueryResult, 'isError' | 'isFetching' | 'refetch'>
  /** The text that offers a retry when the check has failed. */
  readonly failure: string
}

/** Stands in for the content of a page that a link opens, while the server checks the link. */
export function CheckingLink({ query: { isError, isFetching, refetch }, failure }: CheckingLinkProps) {
  if (isError) return <LoadError text={failure} isBusy={isFetching} onRetry={() => void refetch()} />
  return (
    <>
      <VisuallyHidden role="status">Loading...</VisuallyHidden>
      <Skeleton height={320} radius={16} />
    </>
  )
}
