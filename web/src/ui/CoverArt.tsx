interface CoverArtProps {
  /** The file's name, which determines the design. */
  readonly name: string
  readonly className?: string
}

/** A generated cover for music without one: arches in one of eight palettes. */
export function CoverArt({ name, className }: CoverArtProps) {
  const design = coverDesignOf(name)
  return (
    <svg className={className} viewBox="0 0 100 100" preserveAspectRatio="xMidYMid slice" aria-hidden focusable="false">
      <rect width="100" height="100" fill={design.colors[0]} />
      {coverShapesOf(design).map(({ path, fill, opacity }) => (
        <path key={path} d={path} fill={fill} opacity={opacity} />
      ))}
    </svg>
  )
}

/** The design of a generated cover. It depends on the name only, so a file always has the same one. */
interface CoverDesign {
  /** Back wall, large shape, small shape. */
  readonly colors: readonly [string, string, string]
  readonly composition: 0 | 1 | 2 | 3
}

const TRIOS = [
  ['#1C5141', '#F4AC37', '#EDF8F3'],
  ['#BB731D', '#FEDB96', '#965719'],
  ['#13293E', '#50A5D8', '#FFE0E4'],
  ['#1F6B9B', '#8BC4AD', '#D4EDFC'],
  ['#6C4379', '#FE9EAD', '#FFE0E4'],
  ['#7B241A', '#F06D5B', '#FEEDC9'],
  ['#C6304B', '#FCC35D', '#7D1D2B'],
  ['#133E32', '#61A58C', '#FEDB96'],
] as const

function coverDesignOf(name: string): CoverDesign {
  const hash = hashOf(name)
  return {
    colors: TRIOS[hash % TRIOS.length] as CoverDesign['colors'],
    composition: (Math.floor(hash / TRIOS.length) % 4) as CoverDesign['composition'],
  }
}

/** Computes the 32-bit FNV-1a hash, which is short and spreads similar names well. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return hash >>> 0
}

interface Shape {
  /** An SVG path in a square of 100. */
  readonly path: string
  readonly fill: string
  readonly opacity?: number
}

/** Returns the shapes of a cover from back to front, in a square of 100. The first color is the background. */
function coverShapesOf({ colors: [wall, large, small], composition }: CoverDesign): readonly Shape[] {
  switch (composition) {
    case 0:
      return [
        { path: 'M16 100V58a17 17 0 0 1 34 0v42z', fill: large },
        { path: 'M54 100V74a15 15 0 0 1 30 0v26z', fill: small },
      ]
    case 1:
      return [
        { path: 'M16 100V62a34 34 0 0 1 68 0v38z', fill: large },
        { path: 'M34 100V68a16 16 0 0 1 32 0v32z', fill: wall },
      ]
    case 2:
      return [
        { path: 'M8 100a42 42 0 0 1 84 0z', fill: large },
        { path: 'M22 100a28 28 0 0 1 56 0z', fill: small },
        { path: 'M36 100a14 14 0 0 1 28 0z', fill: wall },
      ]
    case 3:
      return [
        { path: 'M68 17a15 15 0 1 1 0 30a15 15 0 1 1 0-30z', fill: small },
        { path: 'M0 100V84a24 24 0 0 1 48 0v16z', fill: large },
        { path: 'M38 100V90a26 26 0 0 1 52 0v10z', fill: large, opacity: 0.55 },
      ]
  }
}

/** Returns the cover as a data URL, for the system's media controls. */
export function coverDataUrl(name: string): string {
  const design = coverDesignOf(name)
  const shapes = coverShapesOf(design).map(
    ({ path, fill, opacity = 1 }) => `<path d="${path}" fill="${fill}" opacity="${opacity}"/>`,
  )
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="512" height="512"><rect width="100" height="100" fill="${design.colors[0]}"/>${shapes.join('')}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
