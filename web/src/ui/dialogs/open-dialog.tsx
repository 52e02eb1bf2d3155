import { modals } from '@mantine/modals'
import { Fragment } from 'react'

let count = 0

/** Opens a dialog. Returns its id, which `modals.close` takes. */
export function openDialog({ children, ...settings }: Parameters<typeof modals.open>[0]): string {
  count += 1
  // Mantine shows all dialogs in one place. Without the key, a dialog that opens while one of the same kind fades out would keep
  // what was typed there.
  return modals.open({ ...settings, children: <Fragment key={count}>{children}</Fragment> })
}
