import { coverDesignOf, coverShapesOf } from './cover-design.ts'

interface CoverArtProps {
  /** The file's name, which decides how it looks. */
  readonly name: string
  readonly className?: string
}

/** A cover for music that has none: arches in one of eight palettes. */
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
