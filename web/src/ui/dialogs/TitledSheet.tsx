import { Drawer, type DrawerProps } from '@mantine/core'
import { useDialog } from './open-layers.ts'
import { scrim } from './scrim.ts'
import styles from './TitledSheet.module.css'

interface TitledSheetProps extends DrawerProps {
  /** The accessible name, where it is not the title. */
  readonly label?: string
  readonly headerClass?: string | undefined
  readonly bodyClass?: string | undefined
  readonly titleClass?: string | undefined
}

/** A sheet at the lower edge with a title and a close button. Escape, Back and the scrim close it too. */
export function TitledSheet({ label, headerClass = '', bodyClass, titleClass, ...drawer }: TitledSheetProps) {
  const dialog = useDialog(drawer.opened, drawer.onClose)
  return (
    <Drawer
      {...drawer}
      {...dialog}
      onExitTransitionEnd={() => {
        dialog.onExitTransitionEnd()
        drawer.onExitTransitionEnd?.()
      }}
      position="bottom"
      size="auto"
      closeButtonProps={{ 'aria-label': 'Close' }}
      attributes={{ content: { 'aria-label': label }, header: { role: 'presentation' } }}
      classNames={{
        content: styles.sheet,
        header: `${styles.header} ${headerClass}`,
        title: titleClass,
        body: bodyClass,
      }}
      overlayProps={scrim}
    />
  )
}
