// The client for small requests, a process of its own so that its work is not the bench's. Reads a job, writes the result.
import { text } from 'node:stream/consumers'
import type { Job } from './client/jobs.ts'
import { load } from './client/load.ts'
import { mix } from './client/mix.ts'
import { sendFiles } from './client/send-files.ts'
import { timePages } from './client/time-pages.ts'
import { timeRequests } from './client/time-requests.ts'

function perform(job: Job) {
  switch (job.work) {
    case 'send files':
      return sendFiles(job)
    case 'time pages':
      return timePages(job)
    case 'time requests':
      return timeRequests(job)
    case 'load':
      return load(job)
    case 'mix':
      return mix(job)
  }
}

const job = JSON.parse(await text(process.stdin)) as Job
console.log(JSON.stringify(await perform(job)))
