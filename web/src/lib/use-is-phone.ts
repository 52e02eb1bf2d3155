import { useMediaQuery } from '@mantine/hooks'

/** Whether the screen is so narrow that it has the phone's layout. */
export function useIsPhone(): boolean {
  return useMediaQuery('(max-width: 35.99em)', undefined, { getInitialValueInEffect: false }) === true
}
