import { Skeleton, VisuallyHidden } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { LoadError } from '../../../ui/LoadError.tsx'

interface QueryContentProps<Data> {
  readonly query: UseQueryResult<Data>
  readonly failure: string
  readonly children: (data: Data) => ReactNode
}

/** Shows what a query returns, and a placeholder or an error with a button until then. An error later is shown above it. */
export function QueryContent<Data>({ query, failure, children }: QueryContentProps<Data>) {
  const { data, isError, isFetching, refetch } = query
  const error = isError && <LoadError text={failure} isBusy={isFetching} onRetry={() => void refetch()} />
  if (data !== undefined) {
    return (
      <>
        {error}
        {children(data)}
      </>
    )
  }
  if (error) return error
  return (
    <>
      <VisuallyHidden role="status">Loading...</VisuallyHidden>
      <Skeleton height={240} radius={16} />
    </>
  )
}
