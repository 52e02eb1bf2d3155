import { Skeleton, VisuallyHidden } from '@mantine/core'

interface CardLoadingProps {
  readonly height: number
}

/** Keeps the place of what is on its way. */
export function CardLoading({ height }: CardLoadingProps) {
  return (
    <>
      <VisuallyHidden role="status">Loading...</VisuallyHidden>
      <Skeleton height={height} />
    </>
  )
}
