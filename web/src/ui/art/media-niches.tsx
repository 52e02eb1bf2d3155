import { Niche } from './niches.tsx'
import { Shadow } from './objects.tsx'

interface PictureProps {
  readonly className?: string
}

/** No music yet: a record half out of its sleeve. */
export function RecordNiche({ className }: PictureProps) {
  return (
    <Niche className={className}>
      <Shadow x={128} y={249} rx={74} ry={5} />
      <circle cx="150" cy="190" r="58" fill="#2A2421" />
      {[48, 40, 32].map((radius) => (
        <circle key={radius} cx="150" cy="190" r={radius} fill="none" stroke="#473D3A" strokeWidth="1.5" />
      ))}
      <path d="M150 190L165 134a58 58 0 0 1 33 24z" fill="#665B57" opacity=".5" />
      <circle cx="150" cy="190" r="17" fill="#F4AC37" />
      <rect x="54" y="138" width="108" height="110" rx="4" fill="#F6EDE8" />
      <path d="M58 138h18v110H58a4 4 0 0 1-4-4V142a4 4 0 0 1 4-4z" fill="#E5DAD3" />
      <path d="M78 248v-42a31 31 0 0 1 62 0v42z" fill="#C6304B" />
      <path d="M91 248v-40a21 21 0 0 1 42 0v40z" fill="#FCC35D" />
      <path d="M104 248v-34a12.5 12.5 0 0 1 25 0v34z" fill="#133E32" />
    </Niche>
  )
}

/** No videos yet: a television that waits. */
export function TelevisionNiche({ className }: PictureProps) {
  return (
    <Niche className={className}>
      <Shadow x={120} y={249} rx={72} ry={5} />
      <path d="M112 144L88 112M126 144L148 108" stroke="#D6C9C4" strokeWidth="4" strokeLinecap="round" />
      <path d="M84 238l-4 10M158 238l4 10" stroke="#4F2B13" strokeWidth="7" strokeLinecap="round" />
      <rect x="48" y="144" width="144" height="96" rx="14" fill="#7B431F" />
      <path d="M62 144h8c-7 30-7 66 0 96h-8a14 14 0 0 1-14-14v-68a14 14 0 0 1 14-14z" fill="#643514" />
      <rect x="57" y="152" width="104" height="80" rx="14" fill="#2A1409" />
      <rect x="62" y="157" width="94" height="70" rx="10" fill="#FCC35D" />
      <path d="M62 208c20-14 40-10 54-3s26 4 40-5v17a10 10 0 0 1-10 10H72a10 10 0 0 1-10-10z" fill="#C95B33" />
      <path d="M99 176v32l27-16z" fill="#fff" stroke="#fff" strokeWidth="3" strokeLinejoin="round" />
      <circle cx="176" cy="170" r="6" fill="#F5F0ED" />
      <circle cx="176" cy="190" r="6" fill="#F5F0ED" />
      <path d="M169 208h14M169 215h14M169 222h14" stroke="#EFE7E2" strokeWidth="2" strokeLinecap="round" />
    </Niche>
  )
}
