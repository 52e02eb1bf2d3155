import type { MantineThemeComponents, MantineTransition } from '@mantine/core'
import { scrim } from '../ui/dialogs/scrim.ts'
import { PasswordEye } from '../ui/PasswordEye.tsx'
import styles from './component-defaults.module.css'

/**
 * A dialog rises by no more than 8 px: while it moves, a click at the final position of a button must not miss it.
 */
const rise: MantineTransition = {
  in: { opacity: 1, transform: 'translateY(0)' },
  out: { opacity: 0, transform: 'translateY(8px)' },
  transitionProperty: 'opacity, transform',
}

/**
 * The defaults of Mantine's components. They are plain objects, since naming the components here would put all of them into
 * the first download.
 */
export const componentDefaults: MantineThemeComponents = {
  ActionIcon: {
    defaultProps: { variant: 'subtle', size: 36 },
    classNames: { root: styles.pressable },
  },
  Anchor: { defaultProps: { underline: 'hover' }, classNames: { root: styles.anchor } },
  Button: {
    classNames: {
      root: `${styles.button} ${styles.pressable}`,
      inner: styles.inner,
      label: styles.buttonLabel,
      loader: styles.loader,
    },
    defaultProps: { loaderProps: { size: 18 } },
  },
  Checkbox: {
    defaultProps: { radius: 'xs' },
    classNames: {
      root: styles.checkbox,
      body: styles.checkboxBody,
      input: styles.checkboxInput,
      label: styles.checkboxLabel,
    },
  },
  CloseButton: {
    defaultProps: { size: 36, iconSize: 18, variant: 'subtle' },
    classNames: { root: styles.closeButton },
  },
  Input: { classNames: { wrapper: styles.inputWrapper, input: styles.input } },
  InputWrapper: {
    classNames: { label: styles.label, error: styles.error, description: styles.description },
  },
  Menu: {
    defaultProps: {
      width: 226,
      radius: 14,
      hideDetached: false,
      shadow: 'lg',
      transitionProps: { transition: 'pop', duration: 180 },
    },
    classNames: { dropdown: styles.menu, item: styles.menuItem, divider: styles.menuDivider },
  },
  Modal: {
    defaultProps: {
      centered: true,
      radius: 'xl',
      shadow: 'lg',
      padding: 24,
      overlayProps: scrim,
      transitionProps: { transition: rise, duration: 240 },
      closeButtonProps: { 'aria-label': 'Close' },
      // Otherwise its <header> would count as a second banner of the page.
      attributes: { header: { role: 'presentation' } },
    },
    classNames: {
      content: styles.modal,
      header: styles.modalHeader,
      title: styles.modalTitle,
      inner: styles.modalInner,
    },
  },
  Notification: {
    classNames: {
      root: styles.toast,
      icon: styles.toastIcon,
      description: styles.toastText,
      closeButton: styles.toastClose,
    },
  },
  PasswordInput: {
    defaultProps: {
      visibilityToggleIcon: PasswordEye,
      visibilityToggleFocusable: true,
      visibilityToggleButtonProps: { 'aria-label': 'Show password' },
    },
    classNames: { innerInput: styles.innerInput, visibilityToggle: styles.visibilityToggle },
  },
  Progress: { defaultProps: { size: 8, radius: 'xl' }, classNames: { root: styles.progress } },
  SegmentedControl: {
    classNames: { root: styles.segmented, indicator: styles.segmentedThumb, label: styles.segmentedLabel },
  },
  Skeleton: { classNames: { root: styles.skeleton } },
  Table: { classNames: { tr: styles.tableRow } },
  Tooltip: {
    defaultProps: { openDelay: 400, withinPortal: true },
    classNames: { tooltip: styles.tooltip },
  },
}
