import { type JobInput, type JobName, type JobOutput, jobs } from './jobs.ts'
import { VaultFailure, type VaultFailureKind } from './vault-failure.ts'

export interface WorkerRequest {
  readonly id: number
  readonly name: JobName
  readonly input: unknown
}

export interface WorkerResponse {
  readonly id: number
  readonly output?: JobOutput<JobName>
  /** The error: a `VaultFailure` by its kind, any other by its message. */
  readonly failure?: VaultFailureKind
  readonly error?: string
}

interface Job {
  readonly request: WorkerRequest
  readonly transfer: Transferable[]
  readonly resolve: (output: never) => void
  readonly reject: (error: unknown) => void
}

interface PoolWorker {
  readonly worker: Worker
  readonly jobs: Map<number, Job>
}

const MAX_WORKERS = 4
/** While one chunk is encrypted, the next is read. */
const JOBS_AT_ONCE = 2
/** The idle timeout of the workers, in milliseconds. The keys in their memory end with them. */
const IDLE_TIMEOUT = 10_000

const queue: Job[] = []
const workers = new Set<PoolWorker>()
let lastId = 0
let idling: ReturnType<typeof setTimeout> | undefined

/** Returns the number of jobs that can run at once. */
export function parallelJobs(): number {
  return countWorkers() * JOBS_AT_ONCE
}

/** Runs a job in one of a few workers, which all files share, or in the page if there are no workers. */
export async function runJob<N extends JobName>(
  name: N,
  input: JobInput<N>,
  transfer: Transferable[] = [],
): Promise<JobOutput<N>> {
  if (typeof Worker === 'undefined') return (await jobs[name](input as never)) as JobOutput<N>
  return new Promise<JobOutput<N>>((resolve, reject) => {
    lastId += 1
    queue.push({ request: { id: lastId, name, input }, transfer, resolve, reject })
    assign()
  })
}

function countWorkers(): number {
  return Math.max(1, Math.min(navigator.hardwareConcurrency ?? 2, MAX_WORKERS))
}

function assign(): void {
  clearTimeout(idling)
  while (queue.length > 0) {
    const free = findFree()
    const job = free && queue.shift()
    if (!job) return
    free.jobs.set(job.request.id, job)
    free.worker.postMessage(job.request, job.transfer)
  }
  if ([...workers].every((one) => one.jobs.size === 0)) idling = setTimeout(endAll, IDLE_TIMEOUT)
}

/** Returns the worker with the fewest jobs, or undefined if all are busy. */
function findFree(): PoolWorker | undefined {
  const idle = [...workers].find((one) => one.jobs.size === 0)
  if (idle) return idle
  if (workers.size < countWorkers()) return start()
  return [...workers].find((one) => one.jobs.size < JOBS_AT_ONCE)
}

function start(): PoolWorker {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
  const started: PoolWorker = { worker, jobs: new Map() }
  worker.addEventListener('message', ({ data }: MessageEvent<WorkerResponse>) => {
    const job = started.jobs.get(data.id)
    started.jobs.delete(data.id)
    if (data.failure) job?.reject(new VaultFailure(data.failure, data.error))
    else if (data.error !== undefined) job?.reject(new Error(data.error))
    else job?.resolve(data.output as never)
    assign()
  })
  // The worker couldn't be loaded, so its jobs are lost.
  worker.addEventListener('error', ({ message }) => {
    workers.delete(started)
    for (const { reject } of started.jobs.values()) reject(new Error(`A worker failed: ${message}`))
    assign()
  })
  workers.add(started)
  return started
}

function endAll(): void {
  for (const { worker } of workers) worker.terminate()
  workers.clear()
}
