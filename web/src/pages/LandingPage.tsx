import { Button, Title } from '@mantine/core'
import { IconArrowDown, IconCheck, IconMail } from '@tabler/icons-react'
import { Link } from 'react-router'
import { updateSession } from '../api/session.ts'
import { PlanPicker } from '../features/billing/plans/PlanPicker.tsx'
import { usePurchase } from '../features/billing/plans/use-purchase.ts'
import { canRegister, describeRegistration } from '../lib/sign-up.ts'
import { contentOf, freeStorage, hasPlans, siteName, supportEmail } from '../lib/site.ts'
import { useIsHydrated } from '../lib/use-is-hydrated.ts'
import { HeroArt } from '../ui/art/HeroArt.tsx'
import { DevicesNiche, PadlockNiche, StorageNiche } from '../ui/art/niches.tsx'
import styles from './LandingPage.module.css'

export function LandingPage() {
  return (
    <>
      <Hero />
      <Features />
      {hasPlans() && <Pricing />}
      <Contact />
    </>
  )
}

/** What the plans for sale offer, as a sentence; nothing if none is for sale. */
const growth = contentOf('alcove-growth')

/** A visitor who starts with the free plan no longer wants the plan chosen before. */
function forgetPendingPlan() {
  updateSession({ pendingPlan: undefined })
}

function Hero() {
  return (
    <section className={styles.hero}>
      <div className={styles.pitch}>
        <h1 className={styles.display}>A quiet room for everything you keep.</h1>
        <p className={styles.lead}>
          Photos, papers, music, film. {siteName} keeps them in one private place, ready on every screen you own, and
          shares only what you say.
        </p>
        <div className={styles.actions}>
          {canRegister() ? (
            <Button size="xl" component={Link} to="/register" onClick={forgetPendingPlan}>
              {hasPlans() ? 'Get Started With Free Tier' : 'Create an account'}
            </Button>
          ) : (
            <Button size="xl" component={Link} to="/login" onClick={forgetPendingPlan}>
              Sign In
            </Button>
          )}
          {hasPlans() && (
            <Link className={styles.more} to={{ hash: 'pricing' }}>
              See pricing <IconArrowDown size={18} stroke={1.75} aria-hidden />
            </Link>
          )}
        </div>
        <p className={styles.note}>{describeOffer()}</p>
      </div>
      <HeroArt className={styles.heroArt} />
    </section>
  )
}

/** The line below the first button. */
function describeOffer(): string {
  if (!canRegister()) return describeRegistration() ?? ''
  return hasPlans() ? `${freeStorage} free. No card needed.` : `${freeStorage} for your files.`
}

const features = () => [
  {
    title: 'Generous Storage',
    Art: StorageNiche,
    text: hasPlans()
      ? `Start with ${freeStorage}, free. ${growth}`
      : 'Keep originals, not copies made smaller. Earlier versions of a file stay, in case you need them.',
  },
  {
    title: 'Access Anywhere',
    Art: DevicesNiche,
    text: 'Any browser, any screen. If the connection drops, your upload carries on from where it stopped.',
  },
  {
    title: 'Advanced Security',
    Art: PadlockNiche,
    text: `${hasPlans() ? 'On paid plans, the' : 'The'} vault encrypts files in your browser. Your passphrase never leaves it, so we cannot read what is inside.`,
  },
]

function Features() {
  return (
    <section className={styles.features} id="features" aria-labelledby="features-title">
      <Title className={styles.section} order={2} id="features-title">
        Room for all of it, <br />
        and a door that locks.
      </Title>
      <div className={styles.cards}>
        {features().map(({ title, Art, text }) => (
          <article className={styles.feature} key={title}>
            <Art className={styles.featureArt} />
            <h3 className={styles.featureTitle}>{title}</h3>
            <p className={styles.featureText}>{text}</p>
          </article>
        ))}
      </div>
    </section>
  )
}

function Pricing() {
  const purchase = usePurchase()
  const isHydrated = useIsHydrated()
  return (
    <section className={styles.pricing} id="pricing" aria-labelledby="pricing-title">
      <Title className={styles.section} order={2} id="pricing-title">
        Pricing
      </Title>
      <p className={styles.sectionLead}>{`Every account starts with ${freeStorage}, free for as long as you like.`}</p>
      {/* What can't be pressed yet doesn't show; its place is kept. */}
      <div className={styles.plans} data-waiting={!isHydrated || undefined}>
        <PlanPicker purchase={purchase} headingLevel={3} />
      </div>
      <article className={styles.free} aria-labelledby="free-title">
        <div>
          <h3 className={styles.freeTitle} id="free-title">
            {freeStorage}
          </h3>
          <p className={styles.freePrice}>Free</p>
        </div>
        <ul className={styles.details}>
          {[`${freeStorage} of storage`, 'Public links', 'No card needed'].map((detail) => (
            <li key={detail}>
              <IconCheck size={17} stroke={2} aria-hidden /> {detail}
            </li>
          ))}
        </ul>
        {canRegister() && (
          <Button variant="default" size="md" component={Link} to="/register" onClick={forgetPendingPlan}>
            Start free
          </Button>
        )}
      </article>
    </section>
  )
}

function Contact() {
  return (
    <section className={styles.contact} id="contact" aria-labelledby="contact-title">
      <div>
        <Title className={styles.contactTitle} order={2} id="contact-title">
          Contact
        </Title>
        <p className={styles.contactText}>
          {hasPlans()
            ? 'Questions about plans, privacy or your files? Write to us.'
            : 'Questions about privacy or your files? Write to us.'}
        </p>
      </div>
      <Button
        className={styles.address}
        variant="default"
        size="lg"
        component="a"
        href={`mailto:${supportEmail}`}
        leftSection={<IconMail size={18} stroke={1.75} />}
      >
        {supportEmail}
      </Button>
    </section>
  )
}
