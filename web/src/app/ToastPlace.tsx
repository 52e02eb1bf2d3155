import { Notifications } from '@mantine/notifications'

/** Apart from what shows a toast, which every screen has from the start. */
export function ToastPlace() {
  return <Notifications position="bottom-center" containerWidth={360} />
}
