import { Skeleton, VisuallyHidden } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { LoadError } from '../../ui/LoadError.tsx'

interface AdminQueryProps<Data> {
  readonly query: UseQueryResult<Data>
  /** What is said if it couldn't be loaded. */
  readonly failure: string
  readonly children: (data: Data) => ReactNode
}

/** Shows what a section has loaded, or that it is loading or couldn't be loaded. */
export function AdminQuery<Data>({ query, failure, children }: AdminQueryProps<Data>) {
  const { data, isError, isFetching, refetch } = query
  if (data !== undefined) return children(data)
  if (isError) return <LoadError text={failure} isBusy={isFetching} onRetry={() => void refetch()} />
  return (
    <>
      <VisuallyHidden role="status">Loading...</VisuallyHidden>
      <Skeleton height={240} radius={16} />
    </>
  )
}
