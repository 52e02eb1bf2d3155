import { Anchor } from '@mantine/core'
import { IconMovie, IconMusic, IconShieldLock } from '@tabler/icons-react'
import { Link } from 'react-router'
import { isPaid, useSession } from '../../../api/session.ts'
import { freeStorage } from '../../../lib/site.ts'
import { Card } from '../../../ui/Card.tsx'
import styles from './PaidFeaturesCard.module.css'

const features = [
  {
    name: 'Vault',
    Icon: IconShieldLock,
    text: 'Files encrypted in your browser, with a passphrase that only you know.',
  },
  { name: 'Music', Icon: IconMusic, text: 'A player for the music in your files, with playlists.' },
  { name: 'Video', Icon: IconMovie, text: 'Your videos, played right from your files.' },
]

interface PaidFeaturesCardProps {
  /** Whether to link to the plans, which are on another page. */
  readonly linksToPlans?: boolean
}

/** Lists what the paid plans add to the free plan. Shown only on the free plan. */
export function PaidFeaturesCard({ linksToPlans }: PaidFeaturesCardProps) {
  if (isPaid(useSession())) return null
  return (
    <Card title="Vault, Music and Video">
      <p className={styles.text}>You are on the free plan with {freeStorage}. The paid plans also include:</p>
      <ul className={styles.list}>
        {features.map(({ name, Icon, text }) => (
          <li className={styles.feature} key={name}>
            <span className={styles.plate} aria-hidden>
              <Icon size={18} stroke={1.75} />
            </span>
            <div>
              <strong className={styles.name}>{name}</strong>
              <div className={styles.text}>{text}</div>
            </div>
          </li>
        ))}
      </ul>
      {linksToPlans && (
        <Anchor component={Link} to="/subscriptions" fz="sm">
          See plans
        </Anchor>
      )}
    </Card>
  )
}
