/** Reads one Firefox database, in a process of its own: native code reads a stranger's file, and only killing it ends it. */
import { setFlagsFromString } from 'node:v8'
import { Problem } from '../../contract/problem.ts'
import { firefoxPlaces } from './firefox-places.ts'
import type { PlacesReply, PlacesRequest } from './read-places.ts'

// Memory for its objects, in MB: 500,000 bookmarks take about 400.
setFlagsFromString('--max-old-space-size=1024')

// Under Electron it is a utility process, which has a port in place of Node's IPC.
if (process.parentPort) process.parentPort.once('message', ({ data }) => answer(data as PlacesRequest))
else process.once('message', (request: PlacesRequest) => answer(request))

function answer({ file, folder }: PlacesRequest): void {
  let reply: PlacesReply
  try {
    reply = { text: firefoxPlaces(file, folder) }
  } catch (error) {
    reply = error instanceof Problem ? { problem: error.message } : { fault: String(error) }
  }
  if (process.parentPort) process.parentPort.postMessage(reply)
  else process.send?.(reply, () => process.exit(0))
}
