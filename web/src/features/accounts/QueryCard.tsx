import { Skeleton, VisuallyHidden } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Card } from '../../ui/Card.tsx'
import { LoadError } from '../../ui/LoadError.tsx'

interface QueryCardProps<T> {
  readonly title: string
  readonly query: UseQueryResult<T>
  /** The text that offers a retry when loading has failed. */
  readonly failure: string
  readonly children: (data: T) => ReactNode
}

/** The height of the skeleton: about that of a short paragraph and a button. */
const SKELETON_HEIGHT = 94

/** A card that shows the data of a query, or that the data is loading, or that it couldn't be loaded. */
export function QueryCard<T>({ title, query, failure, children }: QueryCardProps<T>) {
  const { data, isError, isFetching, refetch } = query
  return (
    <Card title={title}>
      {data !== undefined ? (
        children(data)
      ) : isError ? (
        <LoadError text={failure} isBusy={isFetching} onRetry={() => void refetch()} />
      ) : (
        <>
          <VisuallyHidden role="status">Loading...</VisuallyHidden>
          <Skeleton height={SKELETON_HEIGHT} />
        </>
      )}
    </Card>
  )
}
