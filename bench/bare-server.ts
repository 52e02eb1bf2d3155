// The least work that Node.js can do: it pipes the body of a PUT into a file, and stores the file of a form.
// Runs in its own process. The arguments are the port and the directory.
import { createWriteStream } from 'node:fs'
import { createServer } from 'node:http'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { bareForms } from './bare-forms.ts'

const [port, directory = '.'] = process.argv.slice(2)
const storeForm = bareForms(directory)

createServer(async (request, response) => {
  if (request.method === 'POST') return storeForm(request, response)
  if (request.method === 'PUT') {
    const path = join(directory, basename(request.url ?? ''))
    try {
      await pipeline(request, createWriteStream(path, { highWaterMark: 1024 * 1024 }))
      response.statusCode = 201
    } catch (error) {
      console.error(error)
      response.statusCode = 500
    }
  }
  response.end()
}).listen(Number(port), '127.0.0.1')
