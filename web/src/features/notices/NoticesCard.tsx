import type { OutputOf } from '@alcove/contract/call'
import { getNoticeSettings, type MailSettings, type NoticeKind, updateNoticeSettings } from '@alcove/contract/notices'
import { Skeleton, Switch, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { send } from '../../api/api.ts'
import { useSetting } from '../../api/use-setting.ts'
import { Card } from '../../ui/Card.tsx'
import { LoadError } from '../../ui/LoadError.tsx'
import { notifyError } from '../../ui/toasts/notify.tsx'
import styles from './NoticesCard.module.css'

type NoticeSettings = OutputOf<typeof getNoticeSettings>

const settingsKey = ['notice-settings']

const switches: { readonly [Kind in NoticeKind]: { readonly label: string; readonly description: string } } = {
  storage: { label: 'Storage', description: 'When your storage is 80%, 95% or completely full.' },
  files_received: { label: 'Received files', description: 'When visitors of a link send you files.' },
  share_offered: { label: 'Invitations', description: 'When someone shares a folder with you.' },
  shared_storage_full: {
    label: 'Storage of shared folders',
    description: 'When there is no space left for a folder that you can add to.',
  },
  ownership_offered: { label: 'Offered folders', description: 'When someone wants to hand a folder over to you.' },
  ownership_answered: {
    label: 'Answers to offers',
    description: 'When someone accepts or declines a folder of yours.',
  },
  share_ended: { label: 'Lost folders', description: 'When the owner of a shared folder deletes their account.' },
  malware_received: {
    label: 'Dangerous files',
    description: 'When the scanner finds something in a file that a visitor sent.',
  },
  mass_deletion: {
    label: 'Mass deletions',
    description: 'When an app or a member of a shared folder deletes many of your files.',
  },
  new_sign_in: {
    label: 'New sign-ins',
    description: 'When someone signs in from a device or network for the first time.',
  },
  security_change: {
    label: 'Security changes',
    description: 'When two-factor sign-in, passkeys or app passwords change.',
  },
}

/** Chooses which notices are also sent by mail. */
export function NoticesCard() {
  const settings = useQuery({
    queryKey: settingsKey,
    queryFn: ({ signal }) => send(getNoticeSettings, {}, { signal }),
  })
  const { data, isError, isFetching, refetch } = settings
  return (
    <Card title="Notices">
      <p className={styles.text}>The bell shows all notices. Choose which you also get by email.</p>
      {data ? (
        <div className={styles.switches}>
          {(Object.keys(switches) as NoticeKind[]).map((kind) => (
            <MailSwitch key={kind} kind={kind} mail={data.mail} />
          ))}
        </div>
      ) : isError ? (
        <LoadError text="Couldn’t load your settings." isBusy={isFetching} onRetry={() => void refetch()} />
      ) : (
        <>
          <VisuallyHidden role="status">Loading...</VisuallyHidden>
          <Skeleton height={204} />
        </>
      )}
    </Card>
  )
}

function MailSwitch({ kind, mail }: { readonly kind: NoticeKind; readonly mail: MailSettings }) {
  const [isOn, switchMail] = useSetting(mail[kind], {
    queryKey: settingsKey,
    save: (isWanted) => send(updateNoticeSettings, { mail: { [kind]: isWanted } }),
    update: (_settings: NoticeSettings, saved) => saved,
    onFailed: (sentence) => notifyError(sentence ?? 'Couldn’t save this setting. Try again.'),
  })
  return (
    <Switch
      {...switches[kind]}
      classNames={{
        root: styles.switch,
        body: styles.switchBody,
        track: styles.track,
        thumb: styles.thumb,
        label: styles.label,
        labelWrapper: styles.labels,
      }}
      labelPosition="left"
      size="md"
      withThumbIndicator={false}
      checked={isOn}
      onChange={({ currentTarget: { checked } }) => switchMail(checked)}
    />
  )
}
