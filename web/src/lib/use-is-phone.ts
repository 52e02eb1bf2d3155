import { useMediaQuery } from '@mantine/hooks'

/** Whether the screen is so narrow that it has the phone's layout. */
export function useIsPhone(): boolean {
  return useMediaQuery('(max-width: 35.99em)', undefined, { getInitialValueInEffect: false }) === true
}

/** Whether the screen is a phone's, held either way: narrow, or so low that files would begin below it. */
export function useIsPhoneHeldEitherWay(): boolean {
  return (
    useMediaQuery('(max-width: 35.99em), (max-height: 30em)', undefined, { getInitialValueInEffect: false }) === true
  )
}
