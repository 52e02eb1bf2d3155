import { useId } from 'react'

export type SceneName = 'dawn' | 'coast' | 'stairs' | 'arcade' | 'sea' | 'oranges'

interface SceneProps {
  readonly name: SceneName
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** A small landscape, 96 by 72 in its own units, that stands for a photo. */
export function Scene({ name, x, y, width, height }: SceneProps) {
  const id = useId()
  return (
    <svg
      aria-hidden="true"
      x={x}
      y={y}
      width={width}
      height={height}
      viewBox="0 0 96 72"
      preserveAspectRatio="xMidYMid slice"
    >
      <defs>
        <clipPath id={`${id}c`}>
          <rect width="96" height="72" rx="6" />
        </clipPath>
        <linearGradient id={`${id}s`} x1="0" y1="0" x2="0" y2="1">
          {skies[name].map((color, index) => (
            <stop key={color} offset={index / (skies[name].length - 1)} stopColor={color} />
          ))}
        </linearGradient>
      </defs>
      <g clipPath={`url(#${id}c)`}>
        <rect width="96" height="72" fill={`url(#${id}s)`} />
        {shapes[name]}
      </g>
    </svg>
  )
}

const skies: Record<SceneName, readonly string[]> = {
  dawn: ['#7A93BE', '#E9B49A', '#F8D9A8'],
  coast: ['#17808F', '#0F5E73'],
  stairs: ['#EBD0BF', '#DDB09C'],
  arcade: ['#CDB286', '#8F754E'],
  sea: ['#4A3F72', '#D97F6C', '#F5B45F'],
  oranges: ['#E8DDD2', '#D8C9BB'],
}

const shapes: Record<SceneName, React.ReactNode> = {
  dawn: (
    <>
      <circle cx="60" cy="28" r="5" fill="#FFF3C9" />
      <path d="M0 40q14-8 26-3t24-4 24 3 22-4v40H0z" fill="#A98A9C" />
      <path d="M0 50q16-8 30-2t28-4 38 2v26H0z" fill="#6E6778" />
      <path d="M0 60q18-8 36-2t30-4 30 2v16H0z" fill="#33353F" />
    </>
  ),
  coast: (
    <>
      <path d="M44 0c-4 14 10 20 14 32s16 16 38 22V0z" fill="#E2BE88" />
      <path d="M58 0c-2 12 12 16 16 26s12 12 22 14V0z" fill="#2F5D34" />
      <path d="M42 0c-4 16 10 22 14 33s18 18 40 24" fill="none" stroke="#DDF3F0" strokeWidth="3" />
    </>
  ),
  stairs: (
    <>
      <path d="M0 0h38v72H0z" fill="#E3BBA5" />
      <path d="M52 20a9 9 0 0 1 18 0v26H52z" fill="#8FB4CF" />
      <path d="M38 44h40v7h4v7h4v7h4v7H38z" fill="#C68A76" />
      <path d="M38 20l18 30H38z" fill="#C98F7B" opacity=".7" />
    </>
  ),
  arcade: (
    <>
      <path d="M0 0l34 18v36L0 72z" fill="#60774B" />
      <path d="M96 0 62 18v36l34 18z" fill="#B4946099" />
      <path d="M66 54V32c0-6 6-6 6 0v26zM76 60V28c0-9 8-9 8 0v37zM88 67V24c0-10 8-12 8-2v50z" fill="#F3E3BE" />
      <path d="M0 72l34-18h28l34 18z" fill="#C9B48B" />
    </>
  ),
  sea: (
    <>
      <path d="M0 40h96v32H0z" fill="#4B4968" />
      <circle cx="36" cy="32" r="6" fill="#FFE2A0" />
      <path d="M26 46h22M29 52h16M31 58h11" stroke="#F2B36E" strokeWidth="2" strokeLinecap="round" />
    </>
  ),
  oranges: (
    <>
      <ellipse cx="50" cy="56" rx="34" ry="10" fill="#7FA79C" />
      <circle cx="38" cy="44" r="13" fill="#DE8A22" />
      <circle cx="60" cy="45" r="13" fill="#E6A02E" />
      <circle cx="49" cy="28" r="13" fill="#F0B23C" />
      <path d="M49 17c-6-6-2-10 4-10 2 6 0 9-4 10z" fill="#3F6B3A" />
    </>
  ),
}
