import { join } from 'node:path'
import { runToEnd } from '../processes.ts'

/** Megabits a second, as a good film of 1080 lines has. */
export const BIT_RATE = 8
const LOOP = 20

const quietly = ['-nostdin', '-v', 'error', '-y']

/** A film of about so many bytes in H.264 and AAC, its index at the end as cameras write it: some seconds again and again. */
export async function makeLargeFilm(dir: string, size: number): Promise<string> {
  const [some, whole] = [join(dir, 'some.mp4'), join(dir, 'large.mp4')]
  const rate = ['-b:v', `${BIT_RATE}M`, '-minrate', `${BIT_RATE}M`, '-maxrate', `${BIT_RATE}M`, '-bufsize', '2M']
  await runToEnd('ffmpeg', [
    ...[...quietly, '-f', 'lavfi', '-i', `testsrc2=s=1280x720:r=25:d=${LOOP}`],
    ...['-f', 'lavfi', '-i', `sine=440:d=${LOOP}`, '-c:v', 'libx264', '-preset', 'ultrafast', ...rate, '-g', '50'],
    ...['-x264-params', 'nal-hrd=cbr', '-pix_fmt', 'yuv420p', '-c:a', 'aac', some],
  ])
  const times = Math.ceil((size * 8) / (BIT_RATE * 1e6 * LOOP))
  await runToEnd('ffmpeg', [...quietly, '-stream_loop', String(times - 1), '-i', some, '-c', 'copy', whole])
  return whole
}

/** A film of five minutes that no browser plays, so that every part of it has to be encoded. */
export async function makeForeignFilm(dir: string): Promise<string> {
  const path = join(dir, 'foreign.avi')
  await runToEnd('ffmpeg', [
    ...[...quietly, '-f', 'lavfi', '-i', 'testsrc2=s=1280x720:r=25:d=300', '-f', 'lavfi', '-i', 'sine=440:d=300'],
    ...['-c:v', 'mpeg4', '-q:v', '5', '-c:a', 'mp3', path],
  ])
  return path
}
