/**
 * Reads one Firefox database in a separate process: native code reads an untrusted file, and only killing the process
 * stops it.
 */
import { Problem } from '../../contract/problem.ts'
import { limitProcess } from '../../integrations/limit-process.ts'
import { firefoxPlaces } from './firefox-places.ts'
import type { PlacesReply, PlacesRequest } from './read-places.ts'

/** Maximum length of the text, in UTF-16 code units: about 300,000 bookmarks. */
const MAX_TEXT = 200_000_000

// 500,000 bookmarks take about 400 MB. The parent process kills this process after 30 s, unless the parent has ended.
const limited = limitProcess({ maxCpuMs: 30_000, maxMs: 35_000, maxRss: 1000 * 2 ** 20 })

// Under Electron, this is a utility process, which has a port instead of Node's IPC.
if (process.parentPort) process.parentPort.once('message', ({ data }) => answer(data as PlacesRequest))
else process.once('message', (request: PlacesRequest) => answer(request))

async function answer({ file, folder }: PlacesRequest): Promise<void> {
  let reply: PlacesReply
  try {
    const text = await limited(() => firefoxPlaces(file, folder))
    reply = text.length > MAX_TEXT ? { problem: TOO_LARGE } : { text }
  } catch (error) {
    if (error instanceof Problem) reply = { problem: error.message }
    // A string has at most 2^29 characters.
    else reply = error instanceof RangeError ? { problem: TOO_LARGE } : { fault: String(error) }
  }
  if (process.parentPort) process.parentPort.postMessage(reply)
  else process.send?.(reply, () => process.exit(0))
}

const TOO_LARGE = 'This database cannot be imported. It holds more text than Earmark reads.'
