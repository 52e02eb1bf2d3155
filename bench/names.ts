const WORDS = (
  'invoice report summer winter holiday family budget contract letter photo scan draft final notes meeting project ' +
  'plan design house garden school music lisbon berlin tokyo beach sunset wedding birthday tax bank receipt passport ' +
  'insurance recipe album cover slides chapter thesis backup отчёт договор фото отпуск семья 東京 写真 会議 報告書 旅行'
).split(' ')
const EXTENSIONS = ['jpg', 'JPG', 'png', 'heic', 'pdf', 'docx', 'xlsx', 'mp4', 'txt']

/** Returns `count` different names like those of a large drive. They are the same in each run. */
export function makeNames(count: number): string[] {
  let state = 1
  // A simple generator is enough here, and gives the same numbers everywhere.
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const word = () => WORDS[random(WORDS.length)] as string
  const day = () => `${2010 + random(16)}-${two(1 + random(12))}-${two(1 + random(28))}`
  return Array.from({ length: count }, (_one, number) => {
    const extension = EXTENSIONS[random(EXTENSIONS.length)]
    const kind = random(10)
    if (kind < 4) return `IMG_${String(number % 10_000).padStart(4, '0')}_${number}.${extension}`
    if (kind < 6) return `IMG_${day().replaceAll('-', '')}_${number}.jpg`
    if (kind < 9) return `${word()} ${word()} ${word()} ${number}.${extension}`
    return `Screenshot "${day()}" 100%_${number}*.png`
  })
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}
