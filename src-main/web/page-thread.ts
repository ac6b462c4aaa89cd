/** The thread that reads pages: a page that takes long, or more memory than it may, holds up and ends nothing else. */
import { parentPort } from 'node:worker_threads'
import { type RawPage, readHtml } from './read-html.ts'

parentPort?.on('message', (page: RawPage) => parentPort?.postMessage(readHtml(page)))
